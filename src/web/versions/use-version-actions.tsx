import { Box, Copy, Diff, Tag as TagIcon, Tags as TagsIcon, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Field } from '../components/controls/field.tsx'
import { FormDialog } from '../components/overlays/form-dialog.tsx'
import type { MenuItem } from '../components/overlays/menu.tsx'
import { navigate } from '../state/location.ts'
import { objectPath } from '../state/paths.ts'
import { canWrite } from '../state/session.ts'
import { offerUndo, showError, showToast } from '../state/toasts.ts'
import { versionText } from '../text/version.ts'
import { MoveDialog } from './move-dialog.tsx'
import { changeTags, type ObjectVersion, readObjectsAgain, refOf, type VersionUse } from './objects.ts'
import { production } from './tag.tsx'

interface VersionActionsOptions {
  readonly projectId: string
  readonly name: string
  readonly versions: readonly ObjectVersion[]
  readonly current: ObjectVersion | undefined
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  /** Address of a comparison. */
  readonly compareHref: (from: ObjectVersion, to: ObjectVersion) => string
  /** Whether the object has a page of its own beside this one. */
  readonly hasObjectPage?: boolean
}

/** Menu of a version, with the dialogs that it opens. */
export function useVersionActions(options: VersionActionsOptions): {
  readonly menuOf: (version: ObjectVersion) => readonly MenuItem[]
  /** @param newVariables that clients must send from then on */
  readonly move: (to: ObjectVersion, newVariables?: readonly string[]) => void
  readonly dialogs: ComponentChildren
} {
  const { projectId, name, versions, current, uses, compareHref, hasObjectPage = false } = options
  const [moving, move] = useState<{ readonly digest: string; readonly newVariables: readonly string[] }>()
  const [tagging, tag] = useState<ObjectVersion>()
  const to = versions.find(({ digest }) => digest === moving?.digest)
  const menuOf = (version: ObjectVersion): readonly MenuItem[] => {
    const index = versions.indexOf(version)
    const other = current !== undefined && current.digest !== version.digest ? current : versions[index + 1]
    const [from, into] =
      other !== undefined && other.version_index > version.version_index ? [version, other] : [other, version]
    return [
      ...(from && into
        ? [
            {
              icon: Diff,
              label: versionText.compareWith(other?.version_index ?? 0),
              run: () => navigate(compareHref(from, into)),
            },
          ]
        : []),
      { icon: Copy, label: versionText.copyDigest, run: () => copy(version.digest) },
      { icon: Copy, label: versionText.copyRef, run: () => copy(refOf(projectId, version)) },
      ...(hasObjectPage
        ? [{ icon: Box, label: versionText.content, href: objectPath(projectId, name, version.digest) }]
        : []),
      ...(canWrite.value
        ? [
            ...(version.aliases?.includes(production)
              ? []
              : [
                  {
                    icon: TagIcon,
                    label: versionText.moveProduction,
                    separator: true,
                    run: () => move({ digest: version.digest, newVariables: [] }),
                  },
                ]),
            { icon: TagsIcon, label: versionText.addTag, run: () => tag(version) },
            ...(version.tags ?? []).map((each) => ({
              icon: X,
              label: versionText.removeTag(each),
              run: () => void removeTag(projectId, version, each),
            })),
          ]
        : []),
    ]
  }
  return {
    menuOf,
    move: ({ digest }, newVariables = []) => move({ digest, newVariables }),
    dialogs: (
      <>
        {to && (
          <MoveDialog
            projectId={projectId}
            name={name}
            versions={versions}
            to={to}
            uses={uses}
            newVariables={moving?.newVariables ?? []}
            onClose={() => move(undefined)}
          />
        )}
        {tagging && <TagDialog projectId={projectId} version={tagging} onClose={() => tag(undefined)} />}
      </>
    ),
  }
}

const copy = (text: string): void => {
  navigator.clipboard.writeText(text).then(() => showToast({ kind: 'done', text: versionText.copied }), showError)
}

const readAgain = (projectId: string) => readObjectsAgain(projectId)

async function removeTag(projectId: string, version: ObjectVersion, tag: string): Promise<void> {
  try {
    await changeTags(projectId, version, 'remove', [tag])
    offerUndo({
      text: versionText.tagRemoved(tag, version.version_index),
      undo: async () => {
        await changeTags(projectId, version, 'add', [tag])
        await readAgain(projectId)
      },
    })
  } catch (error) {
    showError(error)
  }
  await readAgain(projectId)
}

interface TagDialogProps {
  readonly projectId: string
  readonly version: ObjectVersion
  readonly onClose: () => void
}

function TagDialog({ projectId, version, onClose }: TagDialogProps) {
  const [name, setName] = useState('')
  const [fault, setFault] = useState<string>()
  const add = async () => {
    await changeTags(projectId, version, 'add', [name.trim()])
    onClose()
    showToast({ kind: 'done', text: versionText.tagAdded(name.trim(), version.version_index) })
    await readAgain(projectId)
  }
  return (
    <FormDialog
      title={versionText.tagTitle(version.version_index)}
      verb={versionText.add}
      isReady={name.trim() !== ''}
      submit={add}
      onError={(error) => setFault(error instanceof Error ? error.message : String(error))}
      onClose={onClose}
    >
      <Field
        label={versionText.tag}
        hint={versionText.tagHint}
        error={fault}
        value={name}
        autofocus
        onInput={(event) => setName(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
