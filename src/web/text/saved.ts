/** Words of saved views. */
export const savedText = {
  label: 'Saved views',
  all: 'All',
  add: 'Save as a view',
  save: 'Save',
  name: 'Name',
  example: 'Slow, over 20 s',
  hint: 'Keeps filter, order and columns, for everybody in the project.',
  changed: (label: string): string => `${label} •`,
  drop: (label: string): string => `Delete the view ${label}`,
} as const
