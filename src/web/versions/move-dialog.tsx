import { ArrowRight, TriangleAlert } from 'lucide'
import { useState } from 'preact/hooks'
import { Problem } from '../api/client.ts'
import { Button } from '../components/controls/button.tsx'
import { Field } from '../components/controls/field.tsx'
import { Icon } from '../components/display/icon.tsx'
import { Dialog } from '../components/overlays/dialog.tsx'
import { formatCount, formatNumber, formatShare } from '../format/number.ts'
import { useKeys } from '../state/keys.ts'
import { offerUndo, showError } from '../state/toasts.ts'
import { versionText } from '../text/version.ts'
import css from './move-dialog.module.css'
import {
  moveAlias,
  type ObjectVersion,
  readObjectsAgain,
  removeAlias,
  type VersionUse,
  versionWithAlias,
} from './objects.ts'
import { production, Tags } from './tag.tsx'

/** As the server has it. */
const reasonCharsMax = 500

/** Name of a version in sentences. */
const nameOf = (version: ObjectVersion | undefined): string =>
  version === undefined ? versionText.nowhere : `v${version.version_index}`

interface MoveDialogProps {
  readonly projectId: string
  readonly name: string
  readonly versions: readonly ObjectVersion[]
  readonly to: ObjectVersion
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  /** Variables that clients must send from now on. */
  readonly newVariables?: readonly string[]
  readonly onClose: () => void
}

/** Moves `production` to a version; says from where, and what follows. */
export function MoveDialog({ projectId, name, versions, to, uses, newVariables = [], onClose }: MoveDialogProps) {
  const from = versionWithAlias(versions, production)
  const [opened] = useState(from?.digest)
  const [busy, setBusy] = useState(false)
  const [reason, setReason] = useState('')
  const isMoved = opened !== from?.digest
  const read = () => readObjectsAgain(projectId)
  const move = async () => {
    if (busy) return
    setBusy(true)
    try {
      await moveAlias(projectId, name, production, { from: from?.digest, to: to.digest, reason: reason.trim() })
      onClose()
      offerUndo({
        text: versionText.moved(name, nameOf(from), nameOf(to)),
        undo: async () => {
          if (from === undefined) await removeAlias(projectId, name, production)
          else await moveAlias(projectId, name, production, { from: to.digest, to: from.digest })
          await read()
        },
      })
    } catch (error) {
      // Moved by another: the dialog stays, with what is true now.
      if (!(error instanceof Problem && error.status === 409)) showError(error)
    } finally {
      setBusy(false)
      await read()
    }
  }
  useKeys([
    { keys: '$mod+Enter', does: versionText.moveVerb(to.version_index), everywhere: true, run: () => void move() },
  ])
  return (
    <Dialog
      open
      onClose={onClose}
      title={versionText.moveTitle(name)}
      class={css.dialog}
      foot={
        <>
          <span class={css.hint}>{versionText.oneClickBack}</span>
          <Button hint="esc" onClick={onClose}>
            {from === undefined ? versionText.keepNothing : versionText.keep(nameOf(from))}
          </Button>
          <Button kind="primary" hint="⌘↵" autofocus busy={busy} disabled={from?.digest === to.digest} onClick={move}>
            {versionText.moveVerb(to.version_index)}
          </Button>
        </>
      }
    >
      <div class={css.boxes}>
        <Side label={versionText.from} version={from} uses={uses} />
        <Icon of={ArrowRight} class={css.arrow} />
        <Side label={versionText.to} version={to} uses={uses} isTarget />
      </div>
      <dl class={css.facts}>
        <dt>{versionText.takesEffect}</dt>
        <dd>
          {versionText.withNextRead}{' '}
          <code>
            {name}:{production}
          </code>
        </dd>
        <dt>{versionText.scores}</dt>
        <dd>
          {uses === undefined ? '…' : <Scores before={from && uses.get(from.digest)} after={uses.get(to.digest)} />}
        </dd>
        {newVariables.length > 0 && (
          <>
            <dt>{versionText.newVariables}</dt>
            <dd>
              {newVariables.map((variable) => (
                <code key={variable} class={css.variable}>{`{{${variable}}}`}</code>
              ))}{' '}
              {versionText.newVariableReason}
            </dd>
          </>
        )}
      </dl>
      {isMoved && (
        <p class={css.moved} role="status">
          <Icon of={TriangleAlert} />
          <span>
            <strong>{versionText.movedMeanwhile}</strong> {versionText.movedNow(nameOf(from))}
          </span>
        </p>
      )}
      <Field
        label={versionText.reason}
        hint={versionText.auditNote}
        placeholder={versionText.reasonExample}
        dir="auto"
        maxLength={reasonCharsMax}
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
    </Dialog>
  )
}

interface SideProps {
  readonly label: string
  readonly version: ObjectVersion | undefined
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  readonly isTarget?: boolean
}

function Side({ label, version, uses, isTarget = false }: SideProps) {
  const calls = version && uses?.get(version.digest)?.calls
  return (
    <div class={isTarget ? css.target : css.box}>
      <span class={css.label}>{label}</span>
      <span class={css.version}>
        {nameOf(version)}
        {version && <Tags version={version} />}
      </span>
      <span class={css.label}>{calls === undefined ? ' ' : versionText.calls(formatCount(calls))}</span>
    </div>
  )
}

function Scores({ before, after }: { before: VersionUse | undefined; after: VersionUse | undefined }) {
  const names = [...new Set([before, after].flatMap((use) => use?.scores.map(({ name }) => name) ?? []))].sort()
  if (names.length === 0) return <>{versionText.noScores}</>
  const shown = (use: VersionUse | undefined, name: string) => {
    const mean = use?.scores.find((score) => score.name === name)?.mean
    return mean === undefined ? '–' : mean >= 0 && mean <= 1 ? formatShare(mean) : formatNumber(mean)
  }
  return (
    <>
      {names.slice(0, 4).map((name) => (
        <span key={name} class={css.score}>
          {name} {shown(before, name)} → <strong>{shown(after, name)}</strong>
        </span>
      ))}
    </>
  )
}
