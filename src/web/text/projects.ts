/** Words of the list of projects. */
export const projectsText = {
  calls: 'Calls',
  callsDay: 'Calls, 24 h',
  callsOverTime: 'Calls of each of the last 24 hours',
  cost: 'Cost, 24 h',
  create: 'New project',
  createHint: 'A project is created when its first trace arrives. The next page shows how to send one.',
  createName: 'Entity and project',
  createOpen: 'Show how to send traces',
  createWrong: 'Write an entity and a project, such as acme/airline-agent.',
  emptyReason: (project: string) => `Run the snippet: its trace opens here, in the new project ${project}.`,
  errors: 'Errors, 24 h',
  filter: 'Filter projects',
  found: (shown: number, all: number) => {
    const projects = all === 1 ? 'project' : 'projects'
    return shown === all ? `${all} ${projects}` : `${shown} of ${all} ${projects}`
  },
  hints: { filter: 'filter', open: 'open', search: 'search' },
  last: 'Last call',
  more: 'Only the 1,000 projects with the newest calls are listed.',
  name: 'Projects',
  noneMatch: (typed: string) => `No project matches “${typed}”`,
  noneMatchReason: (all: number) => `0 of ${all}.`,
  noneRead: 'No project that your key can access has a trace yet, and your key is read-only.',
  noneTitle: 'No projects yet',
  otherProject: 'Use another project',
  project: 'Project',
  clear: 'Clear the filter',
  recent: 'Recent traces',
  readingProjects: 'Reading projects',
  unknownCost: 'No price is known for these calls',
} as const
