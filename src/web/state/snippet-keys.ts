const prefix = 'tracelake.snippet-key.'

/** The key that was created for the snippets of a project in this tab, if any. */
export function snippetKeyOf(projectId: string): string | undefined {
  try {
    return sessionStorage.getItem(prefix + projectId) ?? undefined
  } catch {
    // No storage: a reload then has no key.
    return undefined
  }
}

/** Keeps the key of a project's snippets for this tab, so that they survive a reload. */
export function keepSnippetKey(projectId: string, key: string): void {
  try {
    sessionStorage.setItem(prefix + projectId, key)
  } catch {
    // No storage: a reload then has no key.
  }
}

/** Forgets the key of a project's snippets, or those of all projects. */
export function forgetSnippetKeys(projectId = ''): void {
  try {
    for (const name of Object.keys(sessionStorage)) {
      if (projectId === '' ? name.startsWith(prefix) : name === prefix + projectId) sessionStorage.removeItem(name)
    }
  } catch {
    // No storage: there are none.
  }
}
