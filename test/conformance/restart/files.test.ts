import { expect } from 'bun:test'
import { mkdir, readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { testOfFolder } from '../support/data-place.ts'
import { download, helloDigest, upload } from '../support/files.ts'
import { Project } from '../support/project.ts'
import { startServer } from '../support/server-process.ts'
import { freshProject } from '../support/target.ts'
import { makeTempFolder, removeFolder } from '../support/temp-folder.ts'
import { until } from '../support/until.ts'

testOfFolder('names of contents')(
  'files survive a crash; unreferenced blobs do not',
  async () => {
    const data = await makeTempFolder()
    const adminKey = '0123456789'.repeat(4)
    let server = await startServer({ data, adminKey })
    try {
      const project = freshProject(server.client)
      await upload(project, { content: 'hello' })
      await server.kill()
      const stray = `zz${'A'.repeat(41)}`
      await mkdir(join(data, 'blobs', 'zz'), { recursive: true })
      await Bun.write(join(data, 'blobs', 'zz', stray), 'stray')
      const hourAgo = Date.now() / 1000 - 3600
      await utimes(join(data, 'blobs', 'zz', stray), hourAgo, hourAgo)
      await utimes(join(data, 'blobs', helloDigest.slice(0, 2), helloDigest), hourAgo, hourAgo)
      await Bun.write(join(data, 'tmp', 'torn.upload'), 'torn')

      server = await startServer({ data, adminKey })
      expect(await readdir(join(data, 'tmp'))).toEqual([])
      const contents = async () =>
        (await readdir(join(data, 'blobs'), { recursive: true })).filter((name) => name.length > 3)
      await until(async () => (await contents()).length <= 1)
      expect(await contents()).toEqual([join(helloDigest.slice(0, 2), helloDigest)])
      expect((await download(new Project(server.client, project.entity, project.name), helloDigest)).text).toBe('hello')
    } finally {
      await server.kill()
      await removeFolder(data)
    }
  },
  120_000,
)
