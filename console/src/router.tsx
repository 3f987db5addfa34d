import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { parseSearch, stringifySearch } from './data/list-search.ts'
import { Gate } from './shell/gate.tsx'
import { NoSuchPage } from './shell/no-such-page.tsx'

const rootRoute = createRootRoute({ component: Gate, notFoundComponent: NoSuchPage })

/** The pages, each loaded when it is first opened. */
const pages = {
  '/': lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  '/setup': lazyRouteComponent(() => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  '/invitation': lazyRouteComponent(() => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  '/reset': lazyRouteComponent(() => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  '/account': lazyRouteComponent(() => import('./pages/account/account-page.tsx'), 'AccountPage'),
  '/administrators': lazyRouteComponent(
    () => import('./pages/administrators/administrators-page.tsx'),
    'AdministratorsPage',
  ),
  '/keys': lazyRouteComponent(() => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
  '/keys/$id': lazyRouteComponent(() => import('./pages/keys/key-page.tsx'), 'KeyPage'),
  '/employees': lazyRouteComponent(() => import('./pages/employees/employees-page.tsx'), 'EmployeesPage'),
  '/employees/$id': lazyRouteComponent(() => import('./pages/employees/employee-page.tsx'), 'EmployeePage'),
  '/accounts': lazyRouteComponent(() => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  '/accounts/$id': lazyRouteComponent(
    () => import('./pages/accounts/seen-account-page.tsx'),
    'SeenAccountPage',
  ),
  '/accounts-other': lazyRouteComponent(
    () => import('./pages/accounts/other-accounts-page.tsx'),
    'OtherAccountsPage',
  ),
  '/accounts-other/$id': lazyRouteComponent(
    () => import('./pages/accounts/other-account-page.tsx'),
    'OtherAccountPage',
  ),
  '/apps': lazyRouteComponent(() => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
  '/apps/$id': lazyRouteComponent(() => import('./pages/apps/app-page.tsx'), 'AppPage'),
  '/apps-other': lazyRouteComponent(() => import('./pages/apps/other-apps-page.tsx'), 'OtherAppsPage'),
  '/apps-other/$id': lazyRouteComponent(() => import('./pages/apps/other-app-page.tsx'), 'OtherAppPage'),
  '/browsers': lazyRouteComponent(() => import('./pages/browsers/browsers-page.tsx'), 'BrowsersPage'),
  '/browsers/$id': lazyRouteComponent(() => import('./pages/browsers/browser-page.tsx'), 'BrowserPage'),
  '/extensions': lazyRouteComponent(() => import('./pages/extensions/extensions-page.tsx'), 'ExtensionsPage'),
  '/extensions/$id': lazyRouteComponent(
    () => import('./pages/extensions/extension-page.tsx'),
    'ExtensionPage',
  ),
  '/installations': lazyRouteComponent(
    () => import('./pages/extensions/installations-page.tsx'),
    'InstallationsPage',
  ),
  '/findings': lazyRouteComponent(() => import('./pages/findings/findings-page.tsx'), 'FindingsPage'),
  '/findings/$id': lazyRouteComponent(() => import('./pages/findings/finding-page.tsx'), 'FindingPage'),
  '/detections': lazyRouteComponent(() => import('./pages/detections/detections-page.tsx'), 'DetectionsPage'),
  '/detections/$id': lazyRouteComponent(
    () => import('./pages/detections/detection-page.tsx'),
    'DetectionPage',
  ),
  '/controls/blocked-urls': lazyRouteComponent(
    () => import('./pages/controls/blocked-urls-page.tsx'),
    'BlockedUrlsPage',
  ),
  '/controls/protections': lazyRouteComponent(
    () => import('./pages/controls/protections-page.tsx'),
    'ProtectionsPage',
  ),
  '/controls/banners': lazyRouteComponent(() => import('./pages/controls/banners-page.tsx'), 'BannersPage'),
  '/controls/extensions': lazyRouteComponent(
    () => import('./pages/controls/extension-lists-page.tsx'),
    'ExtensionListsPage',
  ),
  '/controls/stolen-credentials': lazyRouteComponent(
    () => import('./pages/controls/stolen-credentials-page.tsx'),
    'StolenCredentialsPage',
  ),
  '/controls/rules': lazyRouteComponent(
    () => import('./pages/controls/finding-rules-page.tsx'),
    'FindingRulesPage',
  ),
  '/webhooks': lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  '/webhooks/$id': lazyRouteComponent(() => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
  '/audit': lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  '/notices': lazyRouteComponent(() => import('./pages/notices/notices-page.tsx'), 'NoticesPage'),
  '/settings': lazyRouteComponent(() => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
} as const

const routes = Object.entries(pages).map(([path, component]) =>
  createRoute({ getParentRoute: () => rootRoute, path, component }),
)

/** Finds the page for an address below `/console`. */
export const router = createRouter({
  routeTree: rootRoute.addChildren(routes),
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 400,
  scrollRestoration: false,
  // What was marked, tried or asked on the page of one record does not go along to that of another.
  defaultRemountDeps: ({ params }) => params,
  trailingSlash: 'never',
})
