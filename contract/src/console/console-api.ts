import { priorityOperations } from '../risk/console-priority.ts'
import { alertOperations } from './alerts/console-alerts.ts'
import { administratorOperations } from './console-administrators.ts'
import { appPageOperations } from './console-apps.ts'
import { catalogOperations } from './console-catalog.ts'
import { controlsOperations } from './console-controls.ts'
import { inventoryOperations } from './console-inventory.ts'
import { keyOperations } from './console-keys.ts'
import { noticeOperations } from './console-notices.ts'
import { overviewOperations } from './console-overview.ts'
import { sessionOperations } from './console-session.ts'
import { settingsOperations } from './console-settings.ts'
import { signInMethodOperations } from './console-sign-in-methods.ts'
import { streamOperations } from './console-streams.ts'
import { webhookOperations } from './console-webhooks.ts'
import { directoryOperations } from './directory/console-directory.ts'
import { firstStepsOperations } from './first-steps/console-first-steps.ts'
import { incidentOperations } from './incidents/console-incidents.ts'
import { offboardingOperations } from './people/console-offboarding.ts'
import { personalDataOperations } from './people/console-personal-data.ts'
import { coverageOperations } from './rollout/console-coverage.ts'
import { rolloutOperations } from './rollout/console-rollout.ts'
import { savedFilterOperations } from './search/console-saved-filters.ts'
import { trendOperations } from './trends/console-trends.ts'
import { askOperations } from './work/console-ask.ts'
import { workOperations } from './work/console-work.ts'

/**
 * Operations of the console API. Lists and their exports are declared in `console-lists.ts`. Sign-in by OIDC uses
 * browser redirects instead of API calls.
 */
export const consoleOperations = {
  ...sessionOperations,
  ...signInMethodOperations,
  ...administratorOperations,
  ...keyOperations,
  ...controlsOperations,
  ...catalogOperations,
  ...inventoryOperations,
  ...savedFilterOperations,
  ...appPageOperations,
  ...offboardingOperations,
  ...overviewOperations,
  ...firstStepsOperations,
  ...personalDataOperations,
  ...priorityOperations,
  ...rolloutOperations,
  ...coverageOperations,
  ...directoryOperations,
  ...settingsOperations,
  ...noticeOperations,
  ...webhookOperations,
  ...streamOperations,
  ...trendOperations,
  ...workOperations,
  ...askOperations,
  ...incidentOperations,
  ...alertOperations,
} as const

export type ConsoleOperationId = keyof typeof consoleOperations
