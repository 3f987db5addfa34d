/** Category of products, as lists and filters show it. */
export interface ProductCategory {
  readonly name: string
  /** Products that belong to it. */
  readonly description: string
  /** True for private use. A product is a consumer product if all its categories are. */
  readonly consumer?: true
}

/** Categories of the catalog. The first category of a product is its main one. */
export const productCategories = {
  AI: { name: 'AI', description: 'Assistants, models and tools that build on them' },
  AUTOMATION: {
    name: 'Automation',
    description: 'Low-code builders, forms, integration and process automation',
  },
  CLOUD: {
    name: 'Cloud and hosting',
    description: 'Cloud providers, web hosting, domain names, CDN and DNS',
  },
  COLLABORATION: {
    name: 'Collaboration',
    description: 'Documents, wikis, whiteboards, tasks, time and projects',
  },
  COMMERCE: {
    name: 'Commerce',
    description: 'Online shop software, marketplaces for sellers, shipping, logistics',
  },
  COMMUNICATION: {
    name: 'Communication',
    description: 'E-mail, chat, meetings, telephony and messaging services',
  },
  DATA: {
    name: 'Data',
    description: 'Databases, warehouses, pipelines, analytics and business intelligence',
  },
  DESIGN: { name: 'Design and media', description: 'Design, images, video, sound and engineering drawings' },
  DEVELOPMENT: {
    name: 'Development',
    description: 'Source code, CI, testing, packages, APIs and developer tools',
  },
  EDUCATION: { name: 'Education', description: 'Training, learning management, universities and research' },
  FINANCE: {
    name: 'Finance',
    description: 'Accounting, expenses, ERP, procurement, tax, billing and payments',
  },
  HR: { name: 'HR', description: 'Personnel, payroll, benefits, recruiting and performance' },
  IDENTITY: {
    name: 'Identity',
    description: 'Single sign-on, accounts, privileged access and password managers',
  },
  INDUSTRY: {
    name: 'Industry',
    description: 'Software for one line of business, such as construction or health care',
  },
  IT_OPERATIONS: {
    name: 'IT operations',
    description: 'Service desks, devices, remote access, monitoring, networks',
  },
  LEGAL: { name: 'Legal', description: 'Contracts, signatures, compliance, deal rooms and law practice' },
  MARKETING: {
    name: 'Marketing',
    description: 'Campaigns, web sites, SEO, advertising, surveys and social media tools',
  },
  SALES: { name: 'Sales', description: 'CRM, prospecting, quotes, enablement and partner management' },
  SECURITY: {
    name: 'Security',
    description: 'Protection, detection, testing, VPN, privacy and security compliance',
  },
  STORAGE: { name: 'Storage and backup', description: 'File storage, file transfer and backup' },
  SUPPORT: { name: 'Support', description: 'Help desks, contact centers, feedback and customer success' },
  TRAVEL: { name: 'Travel and workplace', description: 'Travel, transport, events, offices and visitors' },
  BANKING: { name: 'Banking and insurance', description: 'Banks, cards, loans, insurers', consumer: true },
  ENTERTAINMENT: {
    name: 'Entertainment',
    description: 'Video, music, news, betting and dating',
    consumer: true,
  },
  GAMING: { name: 'Gaming', description: 'Games, game stores and consoles', consumer: true },
  INVESTING: { name: 'Investing', description: 'Brokers, pensions and cryptocurrencies', consumer: true },
  PUBLIC_SERVICES: {
    name: 'Public services and home',
    description: 'Government, health, utilities, internet providers, home devices',
    consumer: true,
  },
  RETAIL: { name: 'Retail', description: 'Shops, food, marketplaces for buyers', consumer: true },
  SOCIAL: {
    name: 'Social',
    description: 'Social networks, communities, crowdfunding and donations',
    consumer: true,
  },
} as const satisfies Readonly<Record<string, ProductCategory>>

export type ProductCategoryId = keyof typeof productCategories

export const productCategoryIds = Object.keys(productCategories) as ProductCategoryId[]

/** Returns true for a consumer product. False without categories. */
export const isConsumerProduct = ({
  categories = [],
}: {
  readonly categories?: readonly ProductCategoryId[]
}): boolean =>
  categories.length > 0 &&
  categories.every(
    (id) => (productCategories[id] satisfies ProductCategory as ProductCategory).consumer === true,
  )
