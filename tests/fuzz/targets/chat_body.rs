#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| switchboard_fuzz::chat_body::check(data));
