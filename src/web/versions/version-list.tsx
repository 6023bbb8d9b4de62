import { ChevronDown } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { classNames } from '../components/display/class-names.ts'
import { Icon } from '../components/display/icon.tsx'
import type { MenuItem } from '../components/overlays/menu.tsx'
import { MenuButton } from '../components/overlays/menu-button.tsx'
import { formatCount, formatCountUpTo, formatNumber, formatShare } from '../format/number.ts'
import { formatAgo, formatFullTime } from '../format/time.ts'
import { viewPath } from '../state/paths.ts'
import { versionText } from '../text/version.ts'
import type { DayUses } from './day-uses.ts'
import { authorOf, type ObjectVersion, refOf, usedVersionsMax, type VersionUse } from './objects.ts'
import { Tags } from './tag.tsx'
import css from './version-list.module.css'

/** Versions shown before the older ones are requested. */
const shownMax = 8
const callsShownMax = 10_000

/** Filter of the calls that used a version, as an address. */
export const callsPath = (projectId: string, version: ObjectVersion): string => {
  const ref = refOf(projectId, version)
  // The name and digest are in no other text, and the project may be spelt otherwise.
  const text = ref.slice(ref.indexOf('/object/') < 0 ? ref.indexOf('/op/') : ref.indexOf('/object/'))
  return viewPath(projectId, 'calls', `?f=${encodeURIComponent(JSON.stringify(text))}`)
}

interface VersionListProps {
  readonly projectId: string
  readonly versions: readonly ObjectVersion[]
  readonly current: ObjectVersion | undefined
  /** By digest; undefined while it is read. */
  readonly uses: ReadonlyMap<string, VersionUse> | undefined
  readonly hrefOf: (version: ObjectVersion) => string
  readonly menuOf: (version: ObjectVersion) => readonly MenuItem[]
  /** Details of a version. */
  readonly noteOf?: (version: ObjectVersion) => ComponentChildren
  readonly dayUses?: DayUses | undefined
  /** What comparisons say of a version. */
  readonly verdictOf?: (version: ObjectVersion) => ComponentChildren
}

/** Versions with marks, author, age, calls and scores, the newest first. */
export function VersionList(props: VersionListProps) {
  const { projectId, versions, current, uses, hrefOf, menuOf, noteOf, dayUses, verdictOf } = props
  const [isOpen, setOpen] = useState(false)
  const at = versions.findIndex(({ digest }) => digest === current?.digest)
  const shown = isOpen || at >= shownMax ? versions : versions.slice(0, shownMax)
  const scoreNames = [...new Set([...(uses?.values() ?? [])].flatMap(({ scores }) => scores.map(({ name }) => name)))]
    .sort()
    .slice(0, 3)
  return (
    <div class={css.list}>
      {shown.map((version, index) => {
        const use = uses?.get(version.digest)
        const isCurrent = version.digest === current?.digest
        const day = dayUses?.ofVersion.get(`${version.object_id}:${version.digest}`)
        return (
          <div key={version.digest} class={classNames(css.row, isCurrent && css.current)}>
            <div class={css.line}>
              <a class={css.number} href={hrefOf(version)} aria-current={isCurrent ? 'page' : undefined}>
                v{version.version_index}
              </a>
              <Tags version={version} isLatest={index > 0} />
              <span class={css.note}>{noteOf?.(version)}</span>
              <span class={css.menu}>
                <MenuButton
                  label={versionText.menu(version.version_index)}
                  items={menuOf(version)}
                  side="end"
                  kind="quiet"
                  size="compact"
                />
              </span>
            </div>
            <div class={css.facts}>
              <span class="cut">{authorOf(version)}</span>
              <span data-tip={formatFullTime(version.created_at)}>{formatAgo(version.created_at)}</span>
              {use && (
                <a href={callsPath(projectId, version)}>
                  {versionText.calls(formatCountUpTo(use.calls, callsShownMax - 1))}
                </a>
              )}
              {day && <span>{versionText.dayCalls(formatCount(day.calls))}</span>}
              {day !== undefined && day.errors > 0 && (
                <span class={css.failed}>{versionText.dayFailed(formatCount(day.errors))}</span>
              )}
              {uses === undefined && index < usedVersionsMax && <span class={css.bar} aria-hidden />}
            </div>
            {verdictOf?.(version)}
            {scoreNames.length > 0 && use && (
              <dl class={css.scores}>
                {scoreNames.map((name) => (
                  <Score key={name} name={name} score={use.scores.find((each) => each.name === name)} />
                ))}
              </dl>
            )}
          </div>
        )
      })}
      {shown.length < versions.length && (
        <button type="button" class={css.older} onClick={() => setOpen(true)}>
          <Icon of={ChevronDown} size={14} />
          {versionText.older(versions.length - shown.length)}
        </button>
      )}
    </div>
  )
}

function Score({ name, score }: { name: string; score: VersionUse['scores'][number] | undefined }) {
  const isShare = score !== undefined && score.mean >= 0 && score.mean <= 1
  return (
    <div class={css.score} data-tip={score && versionText.scoreOf(name, score.count)}>
      <dt class="cut">{name}</dt>
      <dd>{score === undefined ? '–' : isShare ? formatShare(score.mean) : formatNumber(score.mean)}</dd>
      <span class={css.track} aria-hidden>
        {isShare && <span style={{ width: `${score.mean * 100}%` }} />}
      </span>
    </div>
  )
}
