import { expect, test } from 'bun:test'
import path from 'node:path'

const folder = path.join(import.meta.dir, 'pinned')

async function ask(...names: string[]): Promise<string[]> {
  const child = Bun.spawn([process.execPath, path.join(folder, 'ask.ts'), ...names], {
    // The runtime reads it only at startup.
    env: { ...process.env, NODE_EXTRA_CA_CERTS: path.join(folder, 'models.example.pem') },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const output = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return output.trim().split('\n')
}

test('the certificate is validated against the host of the URL, not the address', async () => {
  expect(await ask('models.example', 'other.example')).toEqual([
    'models.example',
    'refused: ERR_TLS_CERT_ALTNAME_INVALID',
  ])
})
