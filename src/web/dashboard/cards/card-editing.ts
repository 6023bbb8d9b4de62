/** What people may do with a card while the dashboard is edited. */
export interface CardEditing {
  readonly isChosen: boolean
  readonly isDragged: boolean
  /** Opens its panel, where there is room beside the cards. */
  readonly choose: () => void
  readonly open: () => void
  readonly duplicate: () => void
  readonly remove: () => void
  readonly move: (by: -1 | 1) => void
  readonly grab: (event: PointerEvent) => void
  readonly stretch: (event: PointerEvent) => void
  readonly key: (event: KeyboardEvent) => void
}
