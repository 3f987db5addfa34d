import '../../../styles/controls-pages.css'
import type { Controls } from '@muster/contract/controls'
import { useMay } from '../../../data/session.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { mistakeOf } from '../../../ui/form/form-facts.ts'
import { ManyPicker } from '../../../ui/form/many-picker.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { SaveBar } from '../save-bar.tsx'
import { useControls, useDraft } from '../use-controls.ts'

type Rules = Pick<Controls, 'restrictedWords' | 'contact' | 'autoCreateManagedEmployees' | 'thresholds'>

const thresholdFacts: readonly {
  readonly name: keyof Controls['thresholds']
  readonly label: string
  readonly hint: string
  readonly most: number
}[] = [
  {
    name: 'sharedAccountDays',
    label: 'Days of a shared account',
    hint: 'Two employees who use an account within so many days share it.',
    most: 3650,
  },
  {
    name: 'unusedAppDays',
    label: 'Days of an unused app',
    hint: 'An app that is connected by OpenID Connect and not used for so long is a finding.',
    most: 3650,
  },
  {
    name: 'passwordLoginsWithoutMfa',
    label: 'Password logins without a second step',
    hint: 'After so many in a row the account counts as one without a second factor.',
    most: 1000,
  },
  {
    name: 'typedLogins',
    label: 'Passwords typed by hand',
    hint: 'Of the last five password logins, so many open a finding.',
    most: 5,
  },
]

/** What makes a password weak, when findings open, and whom employees may ask. */
export function FindingRulesPage() {
  const { data } = useControls()
  return (
    <Page>
      <PageHead title="Words and thresholds" />
      {data && <RulesForm controls={data.controls} />}
    </Page>
  )
}

function RulesForm({ controls }: { controls: Controls }) {
  const mayWrite = useMay('FULL_ACCESS')
  const { restrictedWords, contact, autoCreateManagedEmployees, thresholds } = controls
  const draft = useDraft<Rules>(
    { restrictedWords, contact, autoCreateManagedEmployees, thresholds },
    (value) => value,
  )
  const set = (part: Partial<Rules>) => draft.set({ ...draft.value, ...part })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (draft.changed) draft.save()
      }}
    >
      <Card title="Restricted words">
        <p className="soft">
          A password that holds one of them is weak: names of the organization, its products, its places.
        </p>
        <fieldset className="bare" disabled={!mayWrite}>
          <legend className="visually-hidden">Restricted words</legend>
          <ManyPicker
            label="Words"
            hint="Three characters or more."
            free
            minLength={3}
            maxLength={64}
            choices={[]}
            chosen={draft.value.restrictedWords}
            onChange={(words) => set({ restrictedWords: words })}
          />
        </fieldset>
      </Card>
      <Card title="Thresholds of findings">
        <div className="threshold-grid">
          {thresholdFacts.map(({ name, label, hint, most }) => (
            <TextField
              key={name}
              label={label}
              hint={hint}
              type="number"
              min={1}
              max={most}
              required
              disabled={!mayWrite}
              error={mistakeOf(draft.error, `thresholds.${name}`)}
              value={String(draft.value.thresholds[name])}
              onChange={(event) =>
                set({ thresholds: { ...draft.value.thresholds, [name]: event.target.valueAsNumber || 0 } })
              }
            />
          ))}
        </div>
      </Card>
      <Card title="Employees">
        <TextField
          label="Contact"
          hint="Whom employees may ask; shown where something is blocked."
          maxLength={254}
          disabled={!mayWrite}
          value={draft.value.contact ?? ''}
          onChange={(event) => set({ contact: event.target.value === '' ? null : event.target.value })}
        />
        <label className="check">
          <input
            type="checkbox"
            disabled={!mayWrite}
            checked={draft.value.autoCreateManagedEmployees}
            onChange={(event) => set({ autoCreateManagedEmployees: event.target.checked })}
          />
          Managed enrollment creates and licenses employees that are not known
        </label>
      </Card>
      <SaveBar of={draft} />
    </form>
  )
}
