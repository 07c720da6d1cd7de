#!/usr/bin/env node
import { CliError } from './cli/admin-client';
import { CliContext } from './cli/context';
import { makeProgram } from './cli/program';
import { SystemClock } from './shared/clock';
import { processEnvironment, SettingsError } from './config/settings';

async function main(): Promise<void> {
  const context = new CliContext(processEnvironment(), new SystemClock(), (text) => process.stdout.write(text));
  try {
    await makeProgram(context).parseAsync();
  } catch (error) {
    if (!(error instanceof CliError || error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

void main();
