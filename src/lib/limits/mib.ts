/** 2^20 bytes; what `MB` means in the names of settings. */
export const MiB = 1024 * 1024
