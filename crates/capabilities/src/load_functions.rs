//! The one switch between a module that is split into parts and one that is whole.

/// Defines functions that load a part of a WebAssembly module and return something of it:
/// `PART: fn NAME() -> TYPE { VALUE }` becomes `async fn NAME() -> Result<TYPE, impl Error>`.
///
/// With the feature `split` of the crate that uses it, the build moves everything that only these functions reach into a
/// file for each part, and a function fails if that file cannot be loaded. That is how modules ship. Without the feature the
/// value is called directly, the module needs no other tool than `wasm-bindgen`, and the functions never fail.
#[macro_export]
macro_rules! load_functions {
    ($($part:ident: $visible:vis fn $name:ident() -> $type:ty { $value:expr })+) => {
        $(
            #[cfg(feature = "split")]
            #[::wasm_split_helpers::wasm_split($part, fallible)]
            $visible fn $name() -> ::core::result::Result<$type, ::wasm_split_helpers::SplitLoaderError> {
                Ok($value)
            }

            #[cfg(not(feature = "split"))]
            $visible async fn $name() -> ::core::result::Result<$type, ::core::convert::Infallible> {
                Ok($value)
            }
        )+
    };
}
