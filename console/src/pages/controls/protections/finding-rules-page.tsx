import '../../../styles/controls-pages.css'
import type { Controls } from '@muster/contract/records/controls'
import { useHasRole } from '../../../data/session.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { fieldErrorOf } from '../../../ui/form/form-context.ts'
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
    label: 'Shared account window (days)',
    hint: 'Employees who use the same account within this many days share it.',
    most: 3650,
  },
  {
    name: 'unusedAppDays',
    label: 'Unused app threshold (days)',
    hint: 'Finding opens when an app connected by OpenID Connect is not used for this long.',
    most: 3650,
  },
  {
    name: 'passwordLoginsWithoutMfa',
    label: 'Password logins without MFA',
    hint: 'Finding opens after this many in a row.',
    most: 1000,
  },
  {
    name: 'typedLogins',
    label: 'Manually typed passwords',
    hint: 'Finding opens at this many of the last 5 logins.',
    most: 5,
  },
]

/** Page of restricted words, finding thresholds and the contact for employees. */
export function FindingRulesPage() {
  const { data } = useControls()
  return (
    <Page>
      <PageHead title="Password rules and thresholds" />
      {data && <RulesForm controls={data.controls} />}
    </Page>
  )
}

function RulesForm({ controls }: { controls: Controls }) {
  const mayWrite = useHasRole('FULL_ACCESS')
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
          A password that contains one of these words counts as weak. Add names of your organization, products
          and locations.
        </p>
        <fieldset className="bare" disabled={!mayWrite}>
          <legend className="visually-hidden">Restricted words</legend>
          <ManyPicker
            label="Words"
            hint="At least 3 characters each."
            free
            minLength={3}
            maxLength={64}
            choices={[]}
            chosen={draft.value.restrictedWords}
            onChange={(words) => set({ restrictedWords: words })}
          />
        </fieldset>
      </Card>
      <Card title="Finding thresholds">
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
              error={fieldErrorOf(draft.error, `thresholds.${name}`)}
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
          hint="Shown to employees when something is blocked."
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
          Managed enrollment adds and licenses unknown employees automatically
        </label>
      </Card>
      <SaveBar of={draft} />
    </form>
  )
}
