import type { ControlScope } from '@muster/contract/console/console-controls'
import { type ReachFigure, reachFigures } from '@muster/contract/console/figure-links'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { callConsole } from '../../../data/call.ts'
import { listLink } from '../../../list/list-paths.ts'
import { Checks } from '../../../ui/form/checks.tsx'
import { ManyPicker } from '../../../ui/form/many-picker.tsx'
import { PeoplePicker } from '../../../ui/form/people-picker.tsx'
import { useChoices } from '../use-controls.ts'
import { trimmedScope } from './scope.ts'

const statuses = ['NOT_APPROVED', 'UNDER_REVIEW', 'APPROVED'] as const
const levels = ['HIGH', 'MEDIUM', 'LOW'] as const

/** Fields for the scope of a rule, with its current reach. */
export function ScopeFields({
  scope,
  ofBanner = false,
  onChange,
}: {
  scope: ControlScope
  /** Also shows the conditions that only banners have. */
  ofBanner?: boolean
  onChange: (scope: ControlScope) => void
}) {
  const { data } = useChoices()
  const apps = data?.products.map(({ appType, friendlyName }) => [appType, friendlyName] as const) ?? []
  const same = (values: readonly string[]) => values.map((value) => [value, value] as const)
  const set = (part: ControlScope) => onChange({ ...scope, ...part })
  return (
    <>
      <ManyPicker
        label="Groups"
        hint={scope.groups?.length ? '' : 'Leave empty for everyone.'}
        free
        maxLength={128}
        choices={same(data?.groups ?? [])}
        chosen={scope.groups ?? []}
        onChange={(groups) => set({ groups })}
      />
      <PeoplePicker
        label="Employees"
        chosen={scope.employeeIds ?? []}
        onChange={(employeeIds) => set({ employeeIds })}
      />
      <ManyPicker
        label="Apps"
        hint={scope.appTypes?.length ? '' : 'Leave empty for all apps.'}
        choices={apps}
        chosen={scope.appTypes ?? []}
        onChange={(appTypes) => set({ appTypes })}
      />
      {ofBanner && (
        <>
          <Checks
            label="Approval"
            values={statuses}
            chosen={scope.approvalStatuses ?? []}
            onChange={(approvalStatuses) => set({ approvalStatuses })}
          />
          <Checks
            label="Sensitivity"
            values={levels}
            chosen={scope.sensitivityLevels ?? []}
            onChange={(sensitivityLevels) => set({ sensitivityLevels })}
          />
          <ManyPicker
            label="Labels"
            free
            maxLength={64}
            choices={same(data?.labels ?? [])}
            chosen={scope.labels ?? []}
            onChange={(labels) => set({ labels })}
          />
        </>
      )}
      <ReachLine scope={scope} />
    </>
  )
}

/** Shows how many employees, browsers and apps a scope covers now. */
export function ReachLine({ scope, ofApps = true }: { scope: ControlScope; ofApps?: boolean }) {
  const asked = trimmedScope(scope)
  const { data } = useQuery({
    queryKey: ['reach', asked],
    queryFn: () => callConsole('previewScope', { body: asked }),
  })
  const figures = data && reachFigures(asked, data)
  return (
    <p className="notice" role="status">
      {figures ? (
        <>
          Applies to <ReachedCount figure={figures.employees} what="employees reached" /> of{' '}
          <ReachedCount figure={figures.allEmployees} what="licensed employees" /> licensed employees with
          <ReachedCount figure={figures.browsers} what="active browsers" /> active browsers
          {ofApps && (
            <>
              {' '}
              on <ReachedCount figure={figures.apps} what="apps" /> of the apps seen so far
            </>
          )}
          .
        </>
      ) : (
        'Counting…'
      )}
    </p>
  )
}

/** A number that links to its list in a new tab, because the rule may be unsaved. */
function ReachedCount({ figure: { count, link }, what }: { figure: ReachFigure; what: string }) {
  const text = count.toLocaleString('en-GB')
  if (!link || count === 0) return text
  return (
    <Link {...listLink(link)} target="_blank" aria-label={`${text} ${what}, in a new tab`}>
      {text}
    </Link>
  )
}
