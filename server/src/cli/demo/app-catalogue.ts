/** A product that the made-up workforce uses. */
export interface DemoApp {
  /** As the API names it: `GOOGLE_WORKSPACE`. */
  readonly type: string
  readonly name: string
  readonly domain: string
  readonly description: string
  readonly category: AppCategory
  /** From 0 to 1: the share of the people it is meant for who use it. */
  readonly reach: number
}

/** Who uses an app: everybody, or mostly one department. */
export type AppCategory =
  | 'everyone'
  | 'engineering'
  | 'sales'
  | 'marketing'
  | 'finance'
  | 'people'
  | 'support'
  | 'genai'

const app = (
  type: string,
  name: string,
  domain: string,
  category: AppCategory,
  reach: number,
  description: string,
): DemoApp => ({
  type,
  name,
  domain,
  category,
  reach,
  description,
})

/** Real products under their real names, so that the demo looks like a company; their use is made up. */
export const demoApps: readonly DemoApp[] = [
  app(
    'GOOGLE_WORKSPACE',
    'Google Workspace',
    'google.com',
    'everyone',
    0.97,
    'Mail, calendar, documents and identity.',
  ),
  app('SLACK', 'Slack', 'slack.com', 'everyone', 0.95, 'Team chat.'),
  app('ZOOM', 'Zoom', 'zoom.us', 'everyone', 0.82, 'Video meetings.'),
  app('OKTA', 'Okta', 'okta.com', 'everyone', 0.9, 'Single sign-on and identity.'),
  app('NOTION', 'Notion', 'notion.so', 'everyone', 0.55, 'Notes and documents of teams.'),
  app('DROPBOX', 'Dropbox', 'dropbox.com', 'everyone', 0.22, 'File storage and sharing.'),
  app('MICROSOFT_365', 'Microsoft 365', 'office.com', 'everyone', 0.3, 'Office documents and mail.'),
  app('MIRO', 'Miro', 'miro.com', 'everyone', 0.28, 'Whiteboards.'),
  app('CANVA', 'Canva', 'canva.com', 'everyone', 0.2, 'Graphic design.'),
  app('TRELLO', 'Trello', 'trello.com', 'everyone', 0.14, 'Task boards.'),
  app('ASANA', 'Asana', 'asana.com', 'everyone', 0.24, 'Project planning.'),
  app('LINKEDIN', 'LinkedIn', 'linkedin.com', 'everyone', 0.35, 'Professional network.'),
  app('CALENDLY', 'Calendly', 'calendly.com', 'everyone', 0.18, 'Appointments.'),
  app('DOCUSIGN', 'DocuSign', 'docusign.com', 'everyone', 0.16, 'Electronic signatures.'),
  app('ONEPASSWORD', '1Password', '1password.com', 'everyone', 0.45, 'Password manager.'),
  app('LOOM', 'Loom', 'loom.com', 'everyone', 0.15, 'Screen recordings.'),
  app('GRAMMARLY', 'Grammarly', 'grammarly.com', 'everyone', 0.17, 'Writing assistant.'),
  app('CHATGPT', 'ChatGPT', 'chatgpt.com', 'genai', 0.5, 'Conversations with a language model.'),
  app('CLAUDE', 'Claude', 'claude.ai', 'genai', 0.3, 'Conversations with a language model.'),
  app(
    'PERPLEXITY',
    'Perplexity',
    'perplexity.ai',
    'genai',
    0.12,
    'Answers with sources by a language model.',
  ),
  app('MIDJOURNEY', 'Midjourney', 'midjourney.com', 'genai', 0.05, 'Pictures from words.'),
  app('DEEPL', 'DeepL', 'deepl.com', 'genai', 0.14, 'Translation.'),
  app('GITHUB', 'GitHub', 'github.com', 'engineering', 0.96, 'Source code hosting.'),
  app('GITLAB', 'GitLab', 'gitlab.com', 'engineering', 0.15, 'Source code hosting and pipelines.'),
  app('JIRA', 'Jira', 'atlassian.com', 'engineering', 0.85, 'Issue tracking.'),
  app('LINEAR', 'Linear', 'linear.app', 'engineering', 0.3, 'Issue tracking.'),
  app('AWS', 'Amazon Web Services', 'aws.amazon.com', 'engineering', 0.6, 'Cloud infrastructure.'),
  app('GOOGLE_CLOUD', 'Google Cloud', 'cloud.google.com', 'engineering', 0.25, 'Cloud infrastructure.'),
  app('CLOUDFLARE', 'Cloudflare', 'cloudflare.com', 'engineering', 0.2, 'Network and content delivery.'),
  app('DATADOG', 'Datadog', 'datadoghq.com', 'engineering', 0.5, 'Monitoring.'),
  app('SENTRY', 'Sentry', 'sentry.io', 'engineering', 0.45, 'Error tracking.'),
  app('PAGERDUTY', 'PagerDuty', 'pagerduty.com', 'engineering', 0.35, 'On-call alerts.'),
  app('POSTMAN', 'Postman', 'postman.com', 'engineering', 0.4, 'API testing.'),
  app('FIGMA', 'Figma', 'figma.com', 'engineering', 0.45, 'Interface design.'),
  app('VERCEL', 'Vercel', 'vercel.com', 'engineering', 0.15, 'Web hosting.'),
  app('NPM', 'npm', 'npmjs.com', 'engineering', 0.3, 'JavaScript packages.'),
  app('DOCKER', 'Docker Hub', 'docker.com', 'engineering', 0.3, 'Container images.'),
  app('SNOWFLAKE', 'Snowflake', 'snowflake.com', 'engineering', 0.2, 'Data warehouse.'),
  app('SALESFORCE', 'Salesforce', 'salesforce.com', 'sales', 0.95, 'Customer relations.'),
  app('HUBSPOT', 'HubSpot', 'hubspot.com', 'sales', 0.4, 'Marketing and customer relations.'),
  app('GONG', 'Gong', 'gong.io', 'sales', 0.45, 'Analysis of sales calls.'),
  app('OUTREACH', 'Outreach', 'outreach.io', 'sales', 0.35, 'Sales mailings.'),
  app('ZOOMINFO', 'ZoomInfo', 'zoominfo.com', 'sales', 0.4, 'Contacts of companies.'),
  app('PIPEDRIVE', 'Pipedrive', 'pipedrive.com', 'sales', 0.1, 'Sales pipeline.'),
  app('MAILCHIMP', 'Mailchimp', 'mailchimp.com', 'marketing', 0.6, 'Newsletters.'),
  app('HOOTSUITE', 'Hootsuite', 'hootsuite.com', 'marketing', 0.4, 'Social media planning.'),
  app('X', 'X', 'x.com', 'marketing', 0.55, 'Social network.'),
  app('FACEBOOK', 'Facebook', 'facebook.com', 'marketing', 0.5, 'Social network.'),
  app('SEMRUSH', 'Semrush', 'semrush.com', 'marketing', 0.35, 'Search engine analysis.'),
  app('WORDPRESS', 'WordPress', 'wordpress.com', 'marketing', 0.3, 'Web sites.'),
  app('ZAPIER', 'Zapier', 'zapier.com', 'marketing', 0.35, 'Connects apps and automates workflows.'),
  app('STRIPE', 'Stripe', 'stripe.com', 'finance', 0.6, 'Payments.'),
  app('QUICKBOOKS', 'QuickBooks', 'intuit.com', 'finance', 0.55, 'Accounting.'),
  app('XERO', 'Xero', 'xero.com', 'finance', 0.2, 'Accounting.'),
  app('EXPENSIFY', 'Expensify', 'expensify.com', 'finance', 0.7, 'Expenses.'),
  app('BILL', 'BILL', 'bill.com', 'finance', 0.3, 'Invoices.'),
  app('WORKDAY', 'Workday', 'workday.com', 'people', 0.8, 'Personnel and payroll.'),
  app('BAMBOOHR', 'BambooHR', 'bamboohr.com', 'people', 0.3, 'Personnel.'),
  app('GREENHOUSE', 'Greenhouse', 'greenhouse.io', 'people', 0.7, 'Recruiting.'),
  app('LATTICE', 'Lattice', 'lattice.com', 'people', 0.4, 'Reviews and goals.'),
  app('ZENDESK', 'Zendesk', 'zendesk.com', 'support', 0.95, 'Customer support.'),
  app('INTERCOM', 'Intercom', 'intercom.com', 'support', 0.5, 'Customer messaging.'),
  app('STATUSPAGE', 'Statuspage', 'statuspage.io', 'support', 0.3, 'Status pages.'),
  app('TEAMVIEWER', 'TeamViewer', 'teamviewer.com', 'support', 0.35, 'Remote control of computers.'),
]

/** Sites outside any catalogue, by their domains: invented. */
export const demoOtherDomains: readonly string[] = [
  'intranet.northgate.example',
  'timesheets.northgate.example',
  'wiki.northgate.example',
  'parking.northgate.example',
  'canteen-orders.example',
  'freight-portal.example',
  'tax-filing-online.example',
  'supplier-hub.example',
  'event-badges.example',
  'pdf-to-everything.example',
  'quick-file-share.example',
  'survey-box.example',
  'training-campus.example',
  'travel-desk.example',
  'office-plants.example',
  'print-shop-direct.example',
  'legal-templates.example',
  'stock-photos-now.example',
  'conference-tickets.example',
  'health-insurance-portal.example',
  'bike-leasing.example',
  'warehouse-view.example',
  'price-monitor.example',
  'free-diagram-tool.example',
]
