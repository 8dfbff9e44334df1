import { Ajv2020 } from 'ajv/dist/2020.js'

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >
  readonly security?: readonly { readonly bearer: readonly string[] }[]
}

/** An OpenAPI document, as far as tests look at it. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

interface Answered {
  readonly status: number
  readonly contentType: string
  readonly body: unknown
}

/** Compares answers with what a document says of their routes. */
export class Described {
  readonly #document: OpenApiDocument
  readonly #ajv: Ajv2020

  constructor(document: OpenApiDocument) {
    this.#document = document
    this.#ajv = new Ajv2020({ strict: false, formats: { uri: true } })
    this.#ajv.addSchema({ $id: 'document', components: document.components })
  }

  /** What is wrong with an answer; undefined for one that is as described, or of a path that is not described. */
  problemOf(method: string, path: string, { status, contentType, body }: Answered): string | undefined {
    const operation = this.#operationOf(method, path)
    if (operation === undefined) return undefined
    // Such an answer has no body.
    if (method === 'HEAD' || status === 204) return undefined
    const response = operation.responses[status] ?? operation.responses[`${Math.floor(status / 100)}XX`]
    if (response === undefined) return `${method} ${path} answered ${status}, which is not described`
    if (response.content === undefined && contentType === '') return undefined
    const content = response.content?.[contentType.split(';')[0] ?? '']
    if (content === undefined)
      return `${method} ${path} answered ${status} as ${contentType}, which is not described`
    const validate = this.#ajv.compile(absolute(content.schema))
    return validate(body) ? undefined : `${method} ${path}: ${this.#ajv.errorsText(validate.errors)}`
  }

  #operationOf(method: string, path: string): Operation | undefined {
    const given = new URL(path, 'http://gateway').pathname.split('/')
    const found = Object.keys(this.#document.paths).find((template) => {
      const parts = template.split('/')
      return (
        parts.length === given.length &&
        parts.every((part, index) => part.startsWith('{') || part === given[index])
      )
    })
    return found === undefined ? undefined : this.#document.paths[found]?.[method.toLowerCase()]
  }
}

/** References into the document, as references into the schema that was added under its name. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as object
}
