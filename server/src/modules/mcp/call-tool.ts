import { ApiError } from '@muster/contract/api/errors'
import { toApiError } from '../../kernel/http/problem.ts'
import { didYouMean } from '../../kernel/lib/nearest.ts'
import { readTools } from './read-tools.ts'
import { searchTools } from './search-tools.ts'
import type { Tool, ToolArguments, ToolCaller, ToolWorld } from './tool.ts'
import { renderData } from './tool-output.ts'
import { writeTools } from './write-tools.ts'

const tools: ReadonlyMap<string, Tool> = new Map(
  [...searchTools, ...readTools, ...writeTools].map((tool) => [tool.name, tool]),
)

/** Returns the tools that a caller may use. */
export const toolsFor = ({ allowsWrites }: ToolWorld, { principal }: ToolCaller): readonly Tool[] =>
  [...tools.values()].filter(({ change }) => change === undefined || (allowsWrites && principal.mayWrite))

/** Answer of a tool. */
interface ToolAnswer {
  readonly text: string
  readonly isError: boolean
}

/** Runs a tool. Mistakes of the caller are answers, so that the assistant can correct them. */
export async function callTool(
  world: ToolWorld,
  caller: ToolCaller,
  name: string,
  given: ToolArguments,
): Promise<ToolAnswer> {
  try {
    const tool = tools.get(name)
    if (!tool) {
      const names = [...tools.keys()]
      return failed(`There is no tool ${JSON.stringify(name.slice(0, 100))}.${didYouMean(name, names)}`)
    }
    if (tool.change !== undefined) requireWrites(world, caller, tool)
    await world.admit?.(caller)
    return { text: renderData(await tool.run(world, caller, given)), isError: false }
  } catch (thrown) {
    const error = toApiError(thrown)
    if (error.status >= 500) world.onFailure(thrown)
    const mistakes = error.mistakes.map((mistake) => `${mistake.name} ${mistake.message}`)
    return failed(mistakes.length > 0 ? `Correct the arguments: ${mistakes.join('; ')}.` : error.message)
  }
}

/** Maximum length of an error in characters. There can be a mistake for each argument, of which a request can have thousands. */
const errorCharactersMaximum = 4000

const failed = (text: string): ToolAnswer => ({
  text:
    text.length <= errorCharactersMaximum
      ? text
      : `${text.slice(0, errorCharactersMaximum).toWellFormed()} … and more.`,
  isError: true,
})

function requireWrites({ allowsWrites, writesHint }: ToolWorld, { principal }: ToolCaller, tool: Tool): void {
  if (!allowsWrites)
    throw new ApiError('read_only_key', `${tool.name} changes data, which is turned off. ${writesHint}`)
  if (!principal.mayWrite)
    throw new ApiError('read_only_key', `${tool.name} changes data. Use an API key with full access.`)
}
