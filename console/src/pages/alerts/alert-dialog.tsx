import {
  type AlertDestination,
  type AlertSchedule,
  alertDestinations,
  alertSchedules,
  alertTriggers,
  weekdays,
} from '@muster/contract/console/alerts/alert-kinds'
import type { AlertRule, OptionalRuleMember } from '@muster/contract/console/alerts/alert-rule'
import { choicesShown } from '@muster/contract/console/console-controls'
import { detectionTypes, severities } from '@muster/contract/records/detection'
import { findingTypes } from '@muster/contract/records/finding'
import { priorities } from '@muster/contract/risk/risk-levels'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { callConsole } from '../../data/call.ts'
import { changedMembers } from '../../data/changed-members.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Checks } from '../../ui/form/checks.tsx'
import { ChoiceField, TextArea, TextField } from '../../ui/form/field.tsx'
import { bound, Form } from '../../ui/form/form.tsx'
import { ManyPicker } from '../../ui/form/many-picker.tsx'
import { labelOf } from '../../ui/text/labels.ts'
import { useChoices } from '../controls/use-controls.ts'
import { destinationNames, hourText, linesOf, scheduleNames, triggerNames } from './alert-words.ts'
import { TargetFields } from './target-fields.tsx'

type Draft = Pick<AlertRule, 'name' | 'triggers' | 'destination' | Exclude<OptionalRuleMember, 'addresses'>>

const newRule: Draft = {
  name: '',
  triggers: ['DETECTION'],
  detectionTypes: [],
  minSeverity: 'HIGH',
  findingTypes: [],
  minPriority: 'P1',
  groups: [],
  silentDays: 7,
  destination: 'EMAIL',
  schedule: 'IMMEDIATE',
  hour: 9,
  weekday: 1,
}

const draftOf = (rule: AlertRule): Draft => ({
  name: rule.name,
  triggers: rule.triggers,
  detectionTypes: rule.detectionTypes,
  minSeverity: rule.minSeverity,
  findingTypes: rule.findingTypes,
  minPriority: rule.minPriority,
  groups: rule.groups,
  silentDays: rule.silentDays,
  destination: rule.destination,
  schedule: rule.schedule,
  hour: rule.hour,
  weekday: rule.weekday,
})

const choicesOf = <T extends string>(values: readonly T[], textOf: (value: T) => string = labelOf) =>
  values.map((value) => [value, textOf(value)] as const)

const hours = Array.from({ length: 24 }, (_, hour) => [String(hour), hourText(hour)] as const)

/** Groups of employees. A group that was renamed or removed matches nobody. */
function GroupsField({
  chosen,
  onChange,
}: {
  chosen: readonly string[]
  onChange: (groups: string[]) => void
}) {
  const { data } = useChoices()
  const known = data?.groups ?? []
  const areAllKnown = data !== undefined && known.length < choicesShown
  const unknown = areAllKnown ? chosen.filter((group) => !known.includes(group)) : []
  const usual = chosen.length === 0 ? 'Leave empty for everyone.' : ''
  return (
    <ManyPicker
      label="Groups of employees"
      hint={unknown.length > 0 ? `No employee is in ${unknown.join(', ')}.` : usual}
      free
      maxLength={128}
      choices={known.map((group) => [group, group])}
      chosen={chosen}
      onChange={onChange}
    />
  )
}

/** Adds a rule, or edits one. */
export function AlertDialog({
  rule,
  onClose,
  onDone,
}: {
  /** Undefined for a new rule. */
  rule?: AlertRule
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const [draft, setDraft] = useState<Draft>(rule ? draftOf(rule) : newRule)
  const [addresses, setAddresses] = useState(rule?.addresses.join('\n') ?? '')
  const [url, setUrl] = useState('')
  const [key, setKey] = useState('')
  const set = (members: Partial<Draft>) => setDraft({ ...draft, ...members })
  const { triggers, destination, schedule } = draft
  const isMail = destination === 'EMAIL'
  const typed = {
    ...draft,
    name: draft.name.trim(),
    addresses: isMail ? linesOf(addresses) : [],
  }
  // Values when the dialog was opened. The rule may be reloaded meanwhile.
  const [opened] = useState(typed)
  const target = {
    ...(url.trim() !== '' && { url: url.trim() }),
    ...(key.trim() !== '' && { key: key.trim() }),
  }
  const withTarget = isMail || Object.keys(target).length === 0 ? {} : { target }
  const send = useMutation({
    mutationFn: async () => {
      if (!rule) return callConsole('addAlertRule', { body: { ...typed, ...withTarget } })
      const body = { ...changedMembers(opened, typed), ...withTarget }
      if (Object.keys(body).length > 0) await callConsole('changeAlertRule', { id: rule.id, body })
      return undefined
    },
    onSuccess: () => {
      onClose()
      void onDone()
    },
  })
  return (
    <Dialog title={rule ? 'Edit alert rule' : 'Add alert rule'} onClose={onClose}>
      <Form
        sending={send}
        action={rule ? 'Save' : 'Add rule'}
        disabled={triggers.length === 0}
        onCancel={onClose}
      >
        <TextField
          label="Name"
          name="name"
          hint="Shown in the alerts."
          required
          maxLength={128}
          {...bound(draft.name, (name) => set({ name }))}
        />
        <Checks
          label="Events"
          values={alertTriggers}
          chosen={triggers}
          textOf={(one) => triggerNames[one]}
          onChange={(chosen) => set({ triggers: chosen })}
        />
        {triggers.includes('DETECTION') && (
          <>
            <Checks
              label="Types of detections (none selected: all)"
              values={detectionTypes}
              chosen={draft.detectionTypes}
              onChange={(chosen) => set({ detectionTypes: chosen })}
            />
            <ChoiceField
              label="Lowest severity"
              choices={choicesOf(severities.toReversed())}
              {...bound(draft.minSeverity, (minSeverity) => set({ minSeverity }))}
            />
          </>
        )}
        {triggers.includes('FINDING') && (
          <>
            <Checks
              label="Types of findings (none selected: all)"
              values={findingTypes}
              chosen={draft.findingTypes}
              onChange={(chosen) => set({ findingTypes: chosen })}
            />
            <ChoiceField
              label="Lowest priority"
              choices={choicesOf(priorities, (one) => one)}
              {...bound(draft.minPriority, (minPriority) => set({ minPriority }))}
            />
          </>
        )}
        {triggers.includes('SILENT_AGENT') && (
          <TextField
            label="Days without contact"
            name="silentDays"
            type="number"
            min={1}
            max={365}
            required
            {...bound(String(draft.silentDays), (text) => set({ silentDays: Number(text) }))}
          />
        )}
        <GroupsField chosen={draft.groups} onChange={(groups) => set({ groups })} />
        <ChoiceField
          label="Send to"
          choices={choicesOf<AlertDestination>(alertDestinations, (one) => destinationNames[one])}
          {...bound(destination, (next) => set({ destination: next }))}
        />
        {isMail ? (
          <TextArea
            label="E-mail addresses"
            name="addresses"
            hint="One per line."
            rows={2}
            required
            {...bound(addresses, setAddresses)}
          />
        ) : (
          <TargetFields
            destination={destination}
            kept={rule?.destination === destination ? rule.target : null}
            url={url}
            onUrl={setUrl}
            secret={key}
            onSecret={setKey}
          />
        )}
        <ChoiceField
          label="When"
          choices={choicesOf<AlertSchedule>(alertSchedules, (one) => scheduleNames[one])}
          {...bound(schedule, (next) => set({ schedule: next }))}
        />
        {schedule === 'WEEKLY' && (
          <ChoiceField
            label="Day"
            choices={weekdays.map((day, index) => [String(index + 1), day] as const)}
            {...bound(String(draft.weekday), (day) => set({ weekday: Number(day) }))}
          />
        )}
        {(schedule === 'DAILY' || schedule === 'WEEKLY') && (
          <ChoiceField
            label="Time"
            hint="In the time zone of the organization: Settings, Alerts."
            choices={hours}
            {...bound(String(draft.hour), (hour) => set({ hour: Number(hour) }))}
          />
        )}
      </Form>
    </Dialog>
  )
}
