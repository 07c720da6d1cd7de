import { NestFactory } from '@nestjs/core';
import type { Settings } from '../config/settings';
import { ArchiveModule } from './archive.module';
import { Exporter } from './exporter';
import { Importer } from './importer';

export interface Archiving {
  exporter: Exporter;
  importer: Importer;
}

/** Works on what the settings name, with no service running. */
export async function withArchives<T>(settings: Settings, work: (archiving: Archiving) => Promise<T>): Promise<T> {
  const app = await NestFactory.createApplicationContext(ArchiveModule.forRoot(settings), {
    logger: ['error'],
    abortOnError: false,
  });
  try {
    return await work({ exporter: app.get(Exporter), importer: app.get(Importer) });
  } finally {
    await app.close();
  }
}
