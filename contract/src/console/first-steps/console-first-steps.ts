import type { Static } from 'typebox'
import { closed, flag, listOf, oneOf } from '../../api/fields.ts'
import { Done } from '../console-fields.ts'
import { consoleOperation } from '../console-operation.ts'

/** First steps of a new organization, in their order. */
export const firstSteps = ['ORGANIZATION', 'EMPLOYEES', 'BROWSER', 'SINGLE_SIGN_ON', 'WEBHOOK'] as const
export type FirstStep = (typeof firstSteps)[number]

const FirstSteps = closed(
  {
    dismissed: flag('True if the caller has dismissed the checklist.', false),
    steps: listOf(
      closed(
        { step: oneOf(firstSteps, 'The step.', 'EMPLOYEES'), done: flag('True if it is done.', false) },
        { description: 'A step and its state.' },
      ),
      'The steps that the caller may take, in their order.',
      [],
      firstSteps.length,
    ),
  },
  { $id: 'FirstSteps', description: 'Checklist of a new organization.' },
)
export type FirstSteps = Static<typeof FirstSteps>

/** Operations of the checklist. */
export const firstStepsOperations = {
  readFirstSteps: consoleOperation({
    method: 'GET',
    path: '/console/api/first-steps',
    access: 'READ_ONLY',
    sensitive: false,
    summary: 'Read the checklist of a new organization. It has no steps for read-only administrators.',
    response: FirstSteps,
  }),
  dismissFirstSteps: consoleOperation({
    method: 'POST',
    path: '/console/api/first-steps/dismiss',
    access: 'SESSION',
    sensitive: false,
    summary: 'Hide the checklist for the caller.',
    response: Done,
  }),
} as const
