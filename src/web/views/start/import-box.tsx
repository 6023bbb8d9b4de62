import { useState } from 'preact/hooks'
import { CopyButton } from '../../components/controls/copy-button.tsx'
import { Select } from '../../components/controls/select.tsx'
import { importCommand, importSources } from '../../snippets/import-commands.ts'
import type { SnippetFacts } from '../../snippets/snippet.ts'
import { startText } from '../../text/start.ts'
import css from './import-box.module.css'
import { SnippetCode } from './snippet-code.tsx'

/** The command that brings the traces of another tool. */
export function ImportBox({ facts }: { facts: SnippetFacts }) {
  const [chosen, choose] = useState(importSources[0]!.id)
  const source = importSources.find(({ id }) => id === chosen)!
  const command = importCommand(source, facts)
  return (
    <section class={css.box}>
      <header class={css.head}>
        <h2 class={css.title}>{startText.importTitle}</h2>
        <Select
          class={css.source}
          label={startText.importSource}
          hideLabel
          options={importSources.map(({ id, name }) => ({ id, label: name }))}
          value={chosen}
          onChange={choose}
        />
        <CopyButton text={command} words />
      </header>
      <SnippetCode code={command} language="shell" facts={facts} />
      <p class={css.note}>
        {source.note} {startText.importDryRun}
      </p>
    </section>
  )
}
