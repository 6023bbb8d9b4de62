/** Three bars of a waterfall. */
export const Logo = ({ size = 16 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" fill="none" stroke-width="2" stroke-linecap="round" aria-hidden>
    <path d="M1.5 3.5h8M6.5 12.5h6" stroke="currentColor" />
    <path d="M4.5 8h10" stroke="var(--accent)" />
  </svg>
)
