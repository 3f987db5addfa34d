/** Patterns of LIKE for host names of apps that are probably AI tools. `llm` alone would also fit names such as Hallmark. */
export const aiDomainPatterns: readonly string[] = [
  '%.ai',
  'ai.%',
  '%.ai.%',
  'ai-%',
  '%.ai-%',
  '%-ai.%',
  '%-ai-%',
  '%gpt%',
  '%genai%',
  '%copilot%',
  '%chatbot%',
  '%openai%',
  'llm.%',
  'llm-%',
  '%.llm.%',
  '%-llm.%',
  '%-llm-%',
]

/** Returns SQL that is true for a host name of an app that is probably an AI tool. It has no parameters. */
export const isAiDomain = (column: string): string =>
  `(${aiDomainPatterns.map((pattern) => `${column} LIKE '${pattern}'`).join(' OR ')})`
