"""Processes that work in the background take what nobody else wants: of the processors, and of the disk."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from contextlib import suppress

_NICE = 5
_IOPRIO_SET = {"x86_64": 251, "aarch64": 30, "riscv64": 30}
"""The number of Linux's call, which its C library has no function for, by processor, for programs of 64 bits."""

_THIS_PROCESS = 1, 0  # IOPRIO_WHO_PROCESS, the caller
_IDLE = 3 << 13  # IOPRIO_CLASS_IDLE: the disk when nobody else has asked for it
_BELOW_NORMAL = 0x4000  # of Windows
_DISK, _OF_PROCESS, _UTILITY = 0, 0, 4  # of macOS: IOPOL_TYPE_DISK, IOPOL_SCOPE_PROCESS, IOPOL_UTILITY


def be_polite() -> None:
    """Let every other process go first, from now on; what the system does not offer is left out."""
    # A container or a policy may refuse either, and an older system not know it.
    with suppress(OSError, AttributeError):
        _yield_processors()
    with suppress(OSError, AttributeError, KeyError):
        _yield_disk()


def _yield_processors() -> None:
    if hasattr(os, "nice"):
        os.nice(_NICE)
        return
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 (it is there on Windows only)
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.SetPriorityClass(ctypes.c_void_p(kernel.GetCurrentProcess()), _BELOW_NORMAL)


def _yield_disk() -> None:
    system: str = sys.platform
    if system == "linux" and sys.maxsize > 2**32:
        ctypes.CDLL(None).syscall(_IOPRIO_SET[platform.machine()], *_THIS_PROCESS, _IDLE)
    elif system == "darwin":
        ctypes.CDLL(None).setiopolicy_np(_DISK, _OF_PROCESS, _UTILITY)
