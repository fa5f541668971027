#pragma once

#include "contract_fill.cuh"

