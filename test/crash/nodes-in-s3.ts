import { makeTempFolder, removeFolder } from '../conformance/support/temp-folder.ts'
import { S3Server } from '../lake/s3-server.ts'
import { LakeNodes } from './lake-nodes.ts'

/** Nodes of a lake in an S3 server that can be made to fail. */
export interface NodesInS3 {
  readonly server: S3Server
  readonly nodes: LakeNodes
  /** Kills the nodes, and removes everything. */
  stop(): Promise<void>
}

export async function startNodesInS3(lake: string): Promise<NodesInS3> {
  const folder = await makeTempFolder()
  const server = await new S3Server().start()
  const nodes = new LakeNodes(folder, {
    TRACELAKE_LAKE: lake,
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_REGION: 'us-east-1',
  })
  const stop = async () => {
    await nodes.killAll()
    await server.stop()
    await removeFolder(folder)
  }
  return { server, nodes, stop }
}
