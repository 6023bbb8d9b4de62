/** More projects are counted instead of named. */
const namesMax = 3

/** Words of the palette. */
export const paletteText = {
  actions: 'Actions',
  byId: 'By id',
  call: 'Call',
  callsWith: (typed: string) => `Calls that contain “${typed}”`,
  calls: 'Calls',
  copyLink: 'Copy link to this page',
  darkTheme: 'Dark theme',
  foldRail: 'Fold or unfold the navigation',
  guideWords: 'help documentation',
  label: 'Search',
  linkCopied: 'Link copied',
  lightTheme: 'Light theme',
  lookingFor: (id: string, where: string) => `Looking for ${id} in ${where}`,
  noCall: (id: string, where: string) => `No call, trace, thread or object in ${where} has the id ${id}.`,
  nothing: (typed: string) => `Nothing is called “${typed}”.`,
  object: 'Object',
  objects: 'Objects',
  openGuide: 'Open the guide',
  operations: 'Operations',
  placeholder: 'Search, or paste an id',
  projectPlaceholder: 'Open a project',
  projects: 'Projects',
  projectsSearched: (ids: readonly string[], isCut: boolean) =>
    ids.length <= namesMax
      ? ids.join(', ')
      : isCut
        ? `the ${ids.length} projects with the newest calls`
        : `all ${ids.length} projects`,
  searched: (projectId: string | undefined, idsIn: string | undefined) =>
    [
      projectId === undefined
        ? 'Searched views, projects and actions. Operations and objects are searched in an open project.'
        : `Searched views, projects, actions, and operations and objects of ${projectId}.`,
      ...(idsIn === undefined ? [] : [`Searched ids in ${idsIn}.`]),
    ].join(' '),
  settings: 'Settings',
  systemTheme: 'Theme of the system',
  thread: 'Thread',
  trace: 'Trace',
  views: 'Views',
} as const
