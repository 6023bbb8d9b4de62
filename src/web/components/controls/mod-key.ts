const isApple = /Mac|iP(?:hone|ad)/.test(globalThis.navigator?.platform ?? '')

/** How the key of shortcuts is printed on this machine. */
export const modKey = isApple ? '⌘' : 'Ctrl '
