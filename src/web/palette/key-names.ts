import { modKey } from '../components/controls/mod-key.ts'

const names: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  Backspace: '⌫',
  BracketLeft: '[',
  BracketRight: ']',
  Enter: '↵',
  Escape: 'esc',
  Shift: '⇧',
  Slash: '/',
  Space: 'space',
}

/**
 * How keys are printed: `$mod+k` is `⌘` `K`, `g t` is `G` `T`. A shifted sign is printed as it is.
 */
export function keyNames(keys: string): string[] {
  return keys
    .split(/[\s+]/)
    .filter((key, index, all) => !(key === 'Shift' && /^[^a-z0-9]$/i.test(all[index + 1] ?? '')))
    .map((key) => (key === '$mod' ? modKey.trim() : (names[key] ?? (key.length === 1 ? key.toUpperCase() : key))))
}
