import { Injectable } from '@nestjs/common';
import { Documents } from '../documents/documents';
import { ApiError } from './api-error';

/** Resolves where the dependency works. */
export type ReadinessCheck = () => Promise<unknown>;

/** A dependency that takes longer than this to answer is down. Milliseconds. */
const LONGEST = 1000;

/** Whether the service can do its work, by dependency. Capabilities add the checks of theirs. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();

  constructor(documents: Documents) {
    this.add('storage', () => documents.get({ store: '*', kind: 'readiness', id: 'probe' }));
  }

  add(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** `{ status, dependencies: { storage: 'up' } }`; 503 with the same dependencies where one is down. */
  async report(): Promise<{ status: 'ready'; dependencies: Record<string, 'up' | 'down'> }> {
    const names = [...this.checks.keys()];
    const states = await Promise.all([...this.checks.values()].map((check) => state(check)));
    const dependencies = Object.fromEntries(names.map((name, index) => [name, states[index] ?? 'down']));
    if (states.every((one) => one === 'up')) return { status: 'ready', dependencies };
    throw new ApiError('unavailable', 'A dependency is down', { extra: { status: 'unready', dependencies } });
  }
}

async function state(check: ReadinessCheck): Promise<'up' | 'down'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'down'>((resolve) => {
    timer = setTimeout(() => resolve('down'), LONGEST);
  });
  const answer = Promise.resolve()
    .then(check)
    .then(
      () => 'up' as const,
      () => 'down' as const,
    );
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
