import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from './data/list-search.ts'
import { Gate } from './shell/gate.tsx'
import { lazyPage } from './shell/lazy-page.ts'
import { PageFailed } from './shell/page-failed.tsx'
import { UnknownPage } from './shell/unknown-page.tsx'

const rootRoute = createRootRoute({ component: Gate, notFoundComponent: UnknownPage })

/** The pages, each loaded when it is first opened. */
const pages = {
  '/': lazyPage(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  '/setup': lazyPage(() => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  '/invitation': lazyPage(() => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  '/reset': lazyPage(() => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  '/account': lazyPage(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  '/administrators': lazyPage(
    () => import('./pages/administrators/administrators-page.tsx'),
    'AdministratorsPage',
  ),
  '/keys': lazyPage(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
  '/keys/$id': lazyPage(() => import('./pages/keys/key-page.tsx'), 'KeyPage'),
  '/employees': lazyPage(() => import('./pages/employees/employees-page.tsx'), 'EmployeesPage'),
  '/employees/$id': lazyPage(() => import('./pages/employees/employee-page.tsx'), 'EmployeePage'),
  '/accounts': lazyPage(() => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  '/accounts/$id': lazyPage(() => import('./pages/accounts/seen-account-page.tsx'), 'SeenAccountPage'),
  '/accounts-other': lazyPage(() => import('./pages/accounts/other-accounts-page.tsx'), 'OtherAccountsPage'),
  '/accounts-other/$id': lazyPage(
    () => import('./pages/accounts/other-account-page.tsx'),
    'OtherAccountPage',
  ),
  '/apps': lazyPage(() => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
  '/apps/$id': lazyPage(() => import('./pages/apps/app-page.tsx'), 'AppPage'),
  '/apps-other': lazyPage(() => import('./pages/apps/other-apps-page.tsx'), 'OtherAppsPage'),
  '/apps-other/$id': lazyPage(() => import('./pages/apps/other-app-page.tsx'), 'OtherAppPage'),
  '/browsers': lazyPage(() => import('./pages/browsers/browsers-page.tsx'), 'BrowsersPage'),
  '/browsers/$id': lazyPage(() => import('./pages/browsers/browser-page.tsx'), 'BrowserPage'),
  '/extensions': lazyPage(() => import('./pages/extensions/extensions-page.tsx'), 'ExtensionsPage'),
  '/extensions/$id': lazyPage(() => import('./pages/extensions/extension-page.tsx'), 'ExtensionPage'),
  '/installations': lazyPage(() => import('./pages/extensions/installations-page.tsx'), 'InstallationsPage'),
  '/findings': lazyPage(() => import('./pages/findings/findings-page.tsx'), 'FindingsPage'),
  '/findings/$id': lazyPage(() => import('./pages/findings/finding-page.tsx'), 'FindingPage'),
  '/detections': lazyPage(() => import('./pages/detections/detections-page.tsx'), 'DetectionsPage'),
  '/detections/$id': lazyPage(() => import('./pages/detections/detection-page.tsx'), 'DetectionPage'),
  '/controls/blocked-urls': lazyPage(
    () => import('./pages/controls/blocked-urls/blocked-urls-page.tsx'),
    'BlockedUrlsPage',
  ),
  '/controls/protections': lazyPage(
    () => import('./pages/controls/protections/protections-page.tsx'),
    'ProtectionsPage',
  ),
  '/controls/banners': lazyPage(() => import('./pages/controls/banners/banners-page.tsx'), 'BannersPage'),
  '/controls/extensions': lazyPage(
    () => import('./pages/controls/extension-lists/extension-lists-page.tsx'),
    'ExtensionListsPage',
  ),
  '/controls/stolen-credentials': lazyPage(
    () => import('./pages/controls/stolen-credentials/stolen-credentials-page.tsx'),
    'StolenCredentialsPage',
  ),
  '/controls/catalog': lazyPage(() => import('./pages/controls/catalog/catalog-page.tsx'), 'CatalogPage'),
  '/controls/rules': lazyPage(
    () => import('./pages/controls/protections/finding-rules-page.tsx'),
    'FindingRulesPage',
  ),
  '/enrollment': lazyPage(() => import('./pages/rollout/rollout-page.tsx'), 'RolloutPage'),
  '/webhooks': lazyPage(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  '/webhooks/$id': lazyPage(() => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
  '/audit': lazyPage(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  '/notices': lazyPage(() => import('./pages/notices/notices-page.tsx'), 'NoticesPage'),
  '/settings': lazyPage(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
} as const

const routes = Object.entries(pages).map(([path, component]) =>
  createRoute({ getParentRoute: () => rootRoute, path, component }),
)

/** Router for the pages below `/console`. */
export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultErrorComponent: PageFailed,
  defaultPreload: 'intent',
  defaultPendingMs: 400,
  scrollRestoration: false,
  // Reset page state when navigating from one record to another.
  defaultRemountDeps: ({ params }) => params,
  trailingSlash: 'never',
})
