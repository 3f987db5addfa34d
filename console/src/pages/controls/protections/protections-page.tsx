import '../../../styles/controls-pages.css'
import type { ControlMode, Controls } from '@muster/contract/records/controls'
import { useHasRole } from '../../../data/session.ts'
import { ManyPicker } from '../../../ui/form/many-picker.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { SaveBar } from '../save-bar.tsx'
import { type DraftLock, useChoices, useControls, useDraft } from '../use-controls.ts'
import { modeChoices, type ProtectionValue, protectionFacts } from './protection-facts.ts'
import { RuleList } from './rule-list.tsx'

type Protections = Pick<
  Controls,
  'protectedPasswords' | 'clonedLoginPages' | 'phishingTools' | 'maliciousCopyPaste' | 'protectedAppTypes'
>

/** Page of the protections against malicious pages. */
export function ProtectionsPage() {
  const { data } = useControls()
  return (
    <Page>
      <PageHead title="Protections" />
      <p className="soft">
        How browsers respond to malicious pages. Rules apply in order; the first match wins. If none matches,
        the default mode applies.
      </p>
      {data && <ProtectionsForm controls={data.controls} />}
    </Page>
  )
}

function ProtectionsForm({ controls }: { controls: Controls }) {
  const mayWrite = useHasRole('FULL_ACCESS')
  const { protectedPasswords, clonedLoginPages, phishingTools, maliciousCopyPaste, protectedAppTypes } =
    controls
  const draft = useDraft<Protections>(
    { protectedPasswords, clonedLoginPages, phishingTools, maliciousCopyPaste, protectedAppTypes },
    (value) => value,
  )
  return (
    <>
      {protectionFacts.map(({ name, title, text }) => (
        <ProtectionCard
          key={name}
          title={title}
          text={text}
          value={draft.value[name]}
          draft={draft}
          mayWrite={mayWrite}
          onChange={(value) => draft.set({ ...draft.value, [name]: value })}
        />
      ))}
      <ProtectedApps
        chosen={draft.value.protectedAppTypes}
        mayWrite={mayWrite}
        onChange={(appTypes) => draft.set({ ...draft.value, protectedAppTypes: appTypes })}
      />
      <SaveBar of={draft} />
    </>
  )
}

function ProtectionCard({
  title,
  text,
  value,
  draft,
  mayWrite,
  onChange,
}: {
  title: string
  text: string
  value: ProtectionValue
  draft: DraftLock
  mayWrite: boolean
  onChange: (value: ProtectionValue) => void
}) {
  return (
    <Card
      title={title}
      note={text}
      actions={
        <select
          className="input fit"
          aria-label={`Default mode for ${title.toLowerCase()}`}
          disabled={!mayWrite}
          value={value.mode}
          onChange={(event) => onChange({ ...value, mode: event.target.value as ControlMode })}
        >
          {modeChoices.map(([mode, words]) => (
            <option key={mode} value={mode}>
              {words}
            </option>
          ))}
        </select>
      }
    >
      <RuleList
        of={title.toLowerCase()}
        rules={value.rules}
        draft={draft}
        mayWrite={mayWrite}
        onChange={(rules) => onChange({ ...value, rules })}
      />
    </Card>
  )
}

function ProtectedApps({
  chosen,
  mayWrite,
  onChange,
}: {
  chosen: readonly string[] | null
  mayWrite: boolean
  onChange: (appTypes: string[] | null) => void
}) {
  const { data } = useChoices()
  const providers = data?.products.filter(({ identityProvider }) => identityProvider) ?? []
  const choices = data?.products.map(({ appType, friendlyName }) => [appType, friendlyName] as const) ?? []
  return (
    <Card title="Protected apps" note="Passwords of these apps must not be typed anywhere else.">
      <fieldset className="checks" disabled={!mayWrite}>
        <legend className="visually-hidden">Protected apps</legend>
        <label className="check">
          <input
            type="radio"
            name="protected-apps"
            checked={chosen === null}
            onChange={() => onChange(null)}
          />
          All identity providers in the catalog{data ? ` (${providers.length})` : ''}
        </label>
        <label className="check">
          <input
            type="radio"
            name="protected-apps"
            checked={chosen !== null}
            onChange={() => onChange(providers.map(({ appType }) => appType))}
          />
          Selected apps
        </label>
      </fieldset>
      {chosen !== null && mayWrite && (
        <ManyPicker
          label="Apps"
          hint={chosen.length === 0 ? 'No passwords are protected.' : ''}
          choices={choices}
          chosen={chosen}
          onChange={onChange}
        />
      )}
      {chosen !== null && !mayWrite && <p>{chosen.join(', ') || 'None'}</p>}
    </Card>
  )
}
