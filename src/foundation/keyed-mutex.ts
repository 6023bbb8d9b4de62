/**
 * Runs tasks of one project one after the other, in order of arrival; different projects do not
 * wait for each other.
 */
export class ProjectQueue {
  private readonly last = new Map<string, Promise<unknown>>()

  async run<T>(projectId: string, task: () => Promise<T>): Promise<T> {
    const before = this.last.get(projectId) ?? Promise.resolve()
    const result = before.then(task)
    const settled = result.catch(() => {})
    this.last.set(projectId, settled)
    try {
      return await result
    } finally {
      if (this.last.get(projectId) === settled) this.last.delete(projectId)
    }
  }
}
