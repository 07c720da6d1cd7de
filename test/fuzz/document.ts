import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

/** As much of OpenAPI 3.0 as is looked at here. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  nullable?: boolean;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

export interface Operation {
  method: string;
  /** As the document writes it: `/v7/users/{userId}`. */
  path: string;
  parameters: readonly { name: string; in: string; schema?: Schema }[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content>>;
  security?: readonly unknown[];
}

interface Document {
  paths: Record<string, Record<string, Omit<Operation, 'method' | 'path' | 'parameters'> & Partial<Operation>>>;
  components?: { schemas?: Record<string, Schema> };
}

/** OpenAPI 3.0 says with true that a bound is left out; JSON Schema has a bound of its own for that. */
function asJsonSchema(document: Document): object {
  const converted = JSON.stringify(document, (_key, value: unknown) => {
    const { exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...rest } = Object(value) as Record<string, unknown>;
    if (exclusiveMinimum !== true && exclusiveMaximum !== true) return value;
    const lower = exclusiveMinimum === true ? { exclusiveMinimum: minimum } : { minimum };
    const upper = exclusiveMaximum === true ? { exclusiveMaximum: maximum } : { maximum };
    return { ...rest, ...lower, ...upper };
  });
  return JSON.parse(converted) as object;
}

/** The OpenAPI document the service hands out: its operations, and what it promises of each reply. */
export class ApiDocument {
  readonly operations: readonly Operation[];
  private readonly ajv = new Ajv({ strict: false, allErrors: false });
  private readonly validators = new Map<string, ValidateFunction>();

  constructor(private readonly document: Document) {
    addFormats(this.ajv);
    this.ajv.addSchema(asJsonSchema(document), 'openapi');
    this.operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
      })),
    );
  }

  schema(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.document.components?.schemas?.[name] ?? {});
  }

  /** What about a reply contradicts the document; null: nothing. */
  contradiction(operation: Operation, reply: { status: number; type: string; text: string }): string | null {
    const declared = operation.responses[reply.status];
    if (!declared) return `the status ${reply.status} is not declared`;
    const types = Object.keys(declared.content ?? {});
    if (types.length === 0) return reply.text === '' ? null : 'a body where none is declared';
    const type = types.find((one) => reply.type.startsWith(one));
    if (type === undefined) return `a body of type "${reply.type}" where ${types.join(', ')} is declared`;
    if (type !== 'application/json') return null;
    return this.invalid(operation, reply);
  }

  private invalid({ method, path }: Operation, { status, text }: { status: number; text: string }): string | null {
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
    const at = `${escaped}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
    let validator = this.validators.get(at);
    if (!validator) {
      validator = this.ajv.compile({ $ref: `openapi#/paths/${at}` });
      this.validators.set(at, validator);
    }
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return 'a body that is no JSON';
    }
    return validator(body) ? null : this.ajv.errorsText(validator.errors, { dataVar: 'body' });
  }
}
