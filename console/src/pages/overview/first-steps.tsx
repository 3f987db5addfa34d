import type {
  FirstSteps as Checklist,
  FirstStep,
} from '@muster/contract/console/first-steps/console-first-steps'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { CircleCheck, CircleDashed } from 'lucide-react'
import { callConsole } from '../../data/call.ts'
import { messageOf } from '../../data/console-send.ts'
import { PushButton } from '../../ui/button.tsx'
import { showToast } from '../../ui/dialog/toasts.tsx'
import { Card } from '../../ui/page/card.tsx'

const key = ['first-steps']

const steps = {
  ORGANIZATION: ['Name your organization', linkOptions({ to: '/settings' }), 'Settings'],
  EMPLOYEES: [
    'Add the employees whose browsers you want to protect',
    linkOptions({ to: '/employees' }),
    'Employees',
  ],
  BROWSER: [
    'Enroll a browser, by a link or by device management',
    linkOptions({ to: '/enrollment' }),
    'Enrollment',
  ],
  SINGLE_SIGN_ON: [
    'Connect single sign-on for administrators',
    linkOptions({ to: '/settings/$id', params: { id: 'sign-on' } }),
    'Single sign-on',
  ],
  WEBHOOK: ['Send events to your SIEM or chat by a webhook', linkOptions({ to: '/webhooks' }), 'Webhooks'],
} as const satisfies Record<FirstStep, readonly [text: string, link: object, page: string]>

/** Loads the checklist of a new organization. */
export const useFirstSteps = () => useQuery({ queryKey: key, queryFn: () => callConsole('readFirstSteps') })

/** Checklist of a new organization. It is hidden when all steps are done, or when the administrator dismisses it. */
export function FirstSteps({ checklist }: { checklist: Checklist | undefined }) {
  const client = useQueryClient()
  const dismiss = useMutation({
    mutationFn: () => callConsole('dismissFirstSteps'),
    onSuccess: () => client.invalidateQueries({ queryKey: key }),
    onError: (error) => showToast(messageOf(error), true),
  })
  if (!checklist || checklist.dismissed || checklist.steps.every(({ done }) => done)) return null
  return (
    <Card
      title="Get started"
      actions={
        <PushButton kind="quiet" onClick={() => dismiss.mutate()}>
          Dismiss
        </PushButton>
      }
    >
      <ol className="lines">
        {checklist.steps.map(({ step, done }) => {
          const [text, link, page] = steps[step]
          return (
            <li key={step}>
              {done ? (
                <CircleCheck role="img" aria-label="Done" />
              ) : (
                <CircleDashed role="img" aria-label="To do" />
              )}
              <span className={done ? 'grow soft' : 'grow'}>{text}</span>
              {!done && <Link {...link}>{page}</Link>}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
