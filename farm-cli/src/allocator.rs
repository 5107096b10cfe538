//! The system's allocator, except that a failed allocation prints advice and ends the program. Rust's default handler aborts without
//! advice, and the hook that could replace it is unstable.
//!
//! `farm_cli::out_of_memory` prints the message. A failed `try_reserve` also ends the program, but the program's code does not use it.

#![expect(unsafe_code, reason = "a global allocator needs unsafe code; this one only calls the system's allocator")]

use std::alloc::{GlobalAlloc, Layout, System};

#[global_allocator]
static ALLOCATOR: Sayer = Sayer;

struct Sayer;

/// Returns the pointer, or ends the program if it is null.
#[inline]
fn some(pointer: *mut u8, bytes: usize) -> *mut u8 {
    if pointer.is_null() {
        missing(bytes);
    }
    pointer
}

#[cold]
#[inline(never)]
fn missing(bytes: usize) -> ! {
    farm_cli::out_of_memory(bytes)
}

// SAFETY: each method calls the same method of `System` with the same arguments; `out_of_memory` neither allocates nor unwinds.
unsafe impl GlobalAlloc for Sayer {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `alloc`.
        some(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `alloc_zeroed`.
        some(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps to the contract of `dealloc`; the block is one of `System`.
        unsafe { System.dealloc(pointer, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: the caller keeps to the contract of `realloc`; the block is one of `System`.
        some(unsafe { System.realloc(pointer, layout, bytes) }, bytes)
    }
}
