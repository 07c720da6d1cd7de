import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { z } from 'zod';
import { Clock } from '../../shared/clock';
import { Answers, Refuses } from '../../http/openapi/answers';
import { ApiError } from '../../shared/api-error';
import { AdminAccess, AdminStore } from '../../stores/access/admin-access';
import type { Store } from '../../stores/store';
import { ClickLedger } from '../ledger/click-ledger';
import { toUnits } from '../../shared/micros';
import { type CampaignView, campaignView } from '../reply/reply-schemas';
import { dayOf } from '../../stores/store-day';
import { type Campaign, type CampaignBody, campaignOf, campaignSchema } from './campaign';
import { CampaignsService } from './campaigns.service';

@ApiTags('admin: showcase')
@ApiParam({ name: 'apiKey' })
@Controller('admin/stores/:apiKey/campaigns')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly ledger: ClickLedger,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AdminAccess('relevance')
  @ApiOperation({ summary: "A store's campaigns, and what each has spent" })
  @Answers(200, z.object({ campaigns: z.array(campaignView) }))
  async list(@AdminStore() store: Store): Promise<{ campaigns: CampaignView[] }> {
    return { campaigns: await this.views(store, this.campaigns.list(store)) };
  }

  @Get(':id')
  @AdminAccess('relevance')
  @ApiOperation({ summary: 'One campaign' })
  @Answers(200, campaignView)
  @Refuses('not_found')
  async show(@AdminStore() store: Store, @Param('id') id: string): Promise<CampaignView> {
    return this.view(store, this.campaigns.get(store, id));
  }

  @Put(':id')
  @AdminAccess('ops')
  @ApiOperation({ summary: 'Makes or replaces a campaign; what it has spent stays spent' })
  @Answers(200, campaignView)
  @Refuses('invalid_body', 'invalid_id', 'invalid_parameter')
  async put(
    @AdminStore() store: Store,
    @Param('id') id: string,
    @Body({ schema: campaignSchema }) body: CampaignBody,
  ): Promise<CampaignView> {
    if (body.id !== undefined && body.id !== id) {
      const message = `The body is of campaign "${body.id}", and the address of "${id}"`;
      throw new ApiError('invalid_body', message, { details: [{ path: 'id', message }] });
    }
    const campaign = campaignOf(id, body);
    await this.campaigns.put(store, campaign);
    return this.view(store, campaign);
  }

  @Delete(':id')
  @AdminAccess('ops')
  @HttpCode(204)
  @ApiOperation({ summary: 'Takes a campaign away; its clicks stay in the ledger and in the metrics' })
  @Answers(204, null)
  @Refuses('not_found')
  async remove(@AdminStore() store: Store, @Param('id') id: string): Promise<void> {
    await this.campaigns.remove(store, id);
  }

  private async view(store: Store, campaign: Campaign): Promise<CampaignView> {
    const [view] = await this.views(store, [campaign]);
    return view as CampaignView;
  }

  private async views(store: Store, campaigns: readonly Campaign[]): Promise<CampaignView[]> {
    const day = dayOf(this.clock.now(), store.settings.timeZone);
    const ids = campaigns.map(({ id }) => id);
    const spent = await this.ledger.spent(store.id, ids, day);
    return campaigns.map((campaign) => {
      const { total = 0, today = 0 } = spent.get(campaign.id) ?? {};
      return { ...campaign, spent: { total: toUnits(total), today: toUnits(today) } };
    });
  }
}
