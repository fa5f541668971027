//! CUDA C that a program brings, compiled by NVIDIA's NVRTC where the user has it. No kernel of ours needs it.

use crate::context::gpu::Cuda;
use crate::driver::entry_points::entry_points;
use crate::driver::toolkit::Toolkit;
use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;
use syntonic_core::{Device, Error, Result};

type Handle = *mut c_void;
type Text = *const c_char;
type Texts = *const *const c_char;

entry_points! {
    Toolkit::Nvrtc,
    needed {
        create(*mut Handle, Text, Text, c_int, Texts, Texts) = "nvrtcCreateProgram";
        compile_program(Handle, c_int, Texts) = "nvrtcCompileProgram";
        ptx_size(Handle, *mut usize) = "nvrtcGetPTXSize";
        ptx(Handle, *mut c_char) = "nvrtcGetPTX";
        log_size(Handle, *mut usize) = "nvrtcGetProgramLogSize";
        log(Handle, *mut c_char) = "nvrtcGetProgramLog";
        destroy(*mut Handle) = "nvrtcDestroyProgram";
    }
    newer {}
}

const OP: &str = "compile";

/// The PTX of CUDA C for a GPU. Entries are found under the name in the source where that says `extern "C"`.
///
/// `options` are NVRTC's, such as `-I/usr/local/cuda/include`; the architecture is the card's unless they name one.
///
/// # Errors
/// [`Error::Fault`] where NVRTC is not installed, with what to install and every place searched, and for a source that does not compile, with
/// the compiler's log.
///
/// ```
/// use syntonic_cuda::foreign::Module;
///
/// const SOURCE: &str = r#"extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }"#;
/// if syntonic_cuda::device_count() > 0 {
///     let gpu = syntonic_cuda::open(0)?;
///     match syntonic_cuda::nvrtc::compile(&gpu, SOURCE, &[]) {
///         Ok(ptx) => assert!(Module::from_ptx(&gpu, &ptx).is_ok()),
///         Err(error) => assert!(error.to_string().contains("NVRTC")),
///     }
/// }
/// # Ok::<(), syntonic_core::Error>(())
/// ```
pub fn compile(gpu: &Arc<Cuda>, source: &str, options: &[&str]) -> Result<String> {
    let device = gpu.id();
    let fault = |what: String| Error::Fault {
        op: OP.to_owned(),
        device,
        what,
    };
    let functions = functions().map_err(&fault)?;
    let (major, minor) = gpu.context().capability();
    let named = options
        .iter()
        .any(|o| o.contains("-arch") || o.contains("gpu-architecture"));
    let arch = (!named).then(|| format!("--gpu-architecture=compute_{major}{minor}"));
    // few: options of one call.
    let options: Vec<&str> = options.iter().copied().chain(arch.as_deref()).collect();
    let text = |text: &str| {
        CString::new(text)
            .map_err(|_| Error::value(OP, "the source or an option has a zero byte inside"))
    };
    let source = text(source)?;
    let options: Vec<CString> = options.into_iter().map(text).collect::<Result<_>>()?;
    let mut program = Program {
        functions,
        handle: ptr::null_mut(),
    };
    program.compile(&source, &options).map_err(fault)
}

/// A program of the library's, until it is dropped.
struct Program {
    functions: &'static Functions,
    handle: Handle,
}

impl Program {
    fn compile(
        &mut self,
        source: &CString,
        options: &[CString],
    ) -> std::result::Result<String, String> {
        let options: Vec<Text> = options.iter().map(|o| o.as_ptr()).collect();
        let name = c"kernel.cu".as_ptr();
        let create = self.functions.create;
        // SAFETY: all texts end with a zero byte and outlive the call, which writes one handle; there are no headers.
        let code = unsafe {
            create(
                &mut self.handle,
                source.as_ptr(),
                name,
                0,
                ptr::null(),
                ptr::null(),
            )
        };
        if code != 0 {
            return Err(format!("NVRTC made no program ({code})"));
        }
        let compile = self.functions.compile_program;
        // SAFETY: the program is alive, and as many options as are counted outlive the call.
        let code = unsafe { compile(self.handle, options.len() as c_int, options.as_ptr()) };
        if code != 0 {
            let log = self.text(self.functions.log_size, self.functions.log);
            let log = log.unwrap_or_default();
            return Err(format!(
                "the source does not compile ({code}); NVRTC says:\n{}",
                log.trim()
            ));
        }
        let ptx = self.text(self.functions.ptx_size, self.functions.ptx);
        ptx.ok_or_else(|| "NVRTC gives no PTX".to_owned())
    }

    /// A text of the program.
    fn text(
        &self,
        size: unsafe extern "C" fn(Handle, *mut usize) -> c_int,
        get: unsafe extern "C" fn(Handle, *mut c_char) -> c_int,
    ) -> Option<String> {
        let mut bytes = 0;
        // SAFETY: the program is alive, and the library writes one number.
        if unsafe { size(self.handle, &mut bytes) } != 0 {
            return None;
        }
        // One more than asked for, so that a text always ends.
        let mut text = vec![0_u8; bytes + 1];
        // SAFETY: there is room for as many bytes as the library says.
        if unsafe { get(self.handle, text.as_mut_ptr().cast()) } != 0 {
            return None;
        }
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        Some(String::from_utf8_lossy(text).into_owned())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: the program is alive, and nobody uses it after this.
            let code = unsafe { (self.functions.destroy)(&mut self.handle) };
            tracing::debug!(code, "a program of NVRTC is destroyed");
        }
    }
}
