/** Words of saved views and dashboards. */
export const savedText = {
  save: 'Save',
  name: 'Name',
  changed: (label: string): string => `${label} •`,
  drop: (label: string): string => `Delete ${label}`,
  views: {
    label: 'Saved views',
    first: 'All',
    add: 'Save as a view',
    example: 'Slow, over 20 s',
    hint: 'Saves filter, order and columns, for everybody in the project.',
  },
  dashboards: {
    label: 'Saved dashboards',
    first: 'Overview',
    add: 'Save as a dashboard',
    example: 'Refund agent, last week',
    hint: 'Saves operation and time range, for everybody in the project.',
  },
} as const
