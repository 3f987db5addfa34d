import { createRootRoute, createRoute, createRouter, type RouteComponent } from '@tanstack/react-router'
import { type ListSearch, parseSearch, stringifySearch } from './data/list-search.ts'
import { Gate } from './shell/gate.tsx'
import { type LoadedModule, lazyPage } from './shell/lazy-page.ts'
import { PageFailed } from './shell/page-failed.tsx'
import { UnknownPage } from './shell/unknown-page.tsx'

const rootRoute = createRootRoute({
  component: Gate,
  notFoundComponent: UnknownPage,
  // Every page has the same kind of search parameters.
  validateSearch: (search: ListSearch) => search,
})

/** Declares a page, loaded when it is first opened. */
const page = <P extends string, T extends LoadedModule, Name extends keyof T & string>(
  path: P,
  load: () => Promise<T>,
  name: Name,
) => {
  const component: RouteComponent = lazyPage(load, name)
  return createRoute({ getParentRoute: () => rootRoute, path, component })
}

const routes = [
  page('/', () => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  page('/trends', () => import('./pages/trends/trends-page.tsx'), 'TrendsPage'),
  page('/reports/$id', () => import('./pages/trends/report-page.tsx'), 'ReportPage'),
  page('/setup', () => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  page('/invitation', () => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  page('/reset', () => import('./pages/entry/link-page.tsx'), 'LinkPage'),
  page('/account', () => import('./pages/account/account-page.tsx'), 'AccountPage'),
  page(
    '/administrators',
    () => import('./pages/administrators/administrators-page.tsx'),
    'AdministratorsPage',
  ),
  page('/keys', () => import('./pages/keys/keys-page.tsx'), 'KeysPage'),
  page('/keys/$id', () => import('./pages/keys/key-page.tsx'), 'KeyPage'),
  page('/employees', () => import('./pages/employees/employees-page.tsx'), 'EmployeesPage'),
  page('/employees/$id', () => import('./pages/employees/employee-page.tsx'), 'EmployeePage'),
  page('/accounts', () => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage'),
  page('/accounts/$id', () => import('./pages/accounts/seen-account-page.tsx'), 'SeenAccountPage'),
  page('/accounts-other', () => import('./pages/accounts/other-accounts-page.tsx'), 'OtherAccountsPage'),
  page('/accounts-other/$id', () => import('./pages/accounts/other-account-page.tsx'), 'OtherAccountPage'),
  page('/apps', () => import('./pages/apps/apps-page.tsx'), 'AppsPage'),
  page('/apps/$id', () => import('./pages/apps/app-page.tsx'), 'AppPage'),
  page('/ai', () => import('./pages/ai/ai-page.tsx'), 'AiPage'),
  page('/apps-other', () => import('./pages/apps/other-apps-page.tsx'), 'OtherAppsPage'),
  page('/apps-other/$id', () => import('./pages/apps/other-app-page.tsx'), 'OtherAppPage'),
  page('/browsers', () => import('./pages/browsers/browsers-page.tsx'), 'BrowsersPage'),
  page('/browsers/$id', () => import('./pages/browsers/browser-page.tsx'), 'BrowserPage'),
  page('/extensions', () => import('./pages/extensions/extensions-page.tsx'), 'ExtensionsPage'),
  page('/extensions/$id', () => import('./pages/extensions/extension-page.tsx'), 'ExtensionPage'),
  page('/installations', () => import('./pages/extensions/installations-page.tsx'), 'InstallationsPage'),
  page('/findings', () => import('./pages/findings/findings-page.tsx'), 'FindingsPage'),
  page('/findings/$id', () => import('./pages/findings/finding-page.tsx'), 'FindingPage'),
  page('/incidents', () => import('./pages/incidents/incidents-page.tsx'), 'IncidentsPage'),
  page('/incidents/$id', () => import('./pages/incidents/incident-page.tsx'), 'IncidentPage'),
  page('/detections', () => import('./pages/detections/detections-page.tsx'), 'DetectionsPage'),
  page('/detections/$id', () => import('./pages/detections/detection-page.tsx'), 'DetectionPage'),
  page(
    '/controls/blocked-urls',
    () => import('./pages/controls/blocked-urls/blocked-urls-page.tsx'),
    'BlockedUrlsPage',
  ),
  page(
    '/controls/protections',
    () => import('./pages/controls/protections/protections-page.tsx'),
    'ProtectionsPage',
  ),
  page('/controls/banners', () => import('./pages/controls/banners/banners-page.tsx'), 'BannersPage'),
  page(
    '/controls/extensions',
    () => import('./pages/controls/extension-lists/extension-lists-page.tsx'),
    'ExtensionListsPage',
  ),
  page(
    '/controls/stolen-credentials',
    () => import('./pages/controls/stolen-credentials/stolen-credentials-page.tsx'),
    'StolenCredentialsPage',
  ),
  page('/controls/catalog', () => import('./pages/controls/catalog/catalog-page.tsx'), 'CatalogPage'),
  page(
    '/controls/rules',
    () => import('./pages/controls/protections/finding-rules-page.tsx'),
    'FindingRulesPage',
  ),
  page(
    '/controls/priorities',
    () => import('./pages/controls/priorities/priorities-page.tsx'),
    'PrioritiesPage',
  ),
  page('/enrollment', () => import('./pages/rollout/rollout-page.tsx'), 'RolloutPage'),
  page('/directory', () => import('./pages/directory/directory-page.tsx'), 'DirectoryPage'),
  page('/webhooks', () => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  page('/webhooks/$id', () => import('./pages/webhooks/webhook-page.tsx'), 'WebhookPage'),
  page('/alerts', () => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
  page('/alerts/$id', () => import('./pages/alerts/alert-page.tsx'), 'AlertPage'),
  page('/audit', () => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  page('/notices', () => import('./pages/notices/notices-page.tsx'), 'NoticesPage'),
  page('/guide', () => import('./pages/guide/guide-page.tsx'), 'GuidePage'),
  page('/guide/$id', () => import('./pages/guide/guide-page.tsx'), 'GuidePage'),
  page('/settings', () => import('./pages/settings/settings-page.tsx'), 'SettingsPage'),
  page('/settings/$id', () => import('./pages/settings/setting-form-page.tsx'), 'SettingFormPage'),
] as const

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

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
