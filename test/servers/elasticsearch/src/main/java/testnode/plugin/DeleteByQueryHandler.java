package testnode.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.elasticsearch.action.bulk.BulkItemResponse;
import org.elasticsearch.action.bulk.BulkRequest;
import org.elasticsearch.action.delete.DeleteRequest;
import org.elasticsearch.action.search.SearchRequest;
import org.elasticsearch.action.search.SearchResponse;
import org.elasticsearch.action.search.SearchScrollRequest;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.common.Strings;
import org.elasticsearch.core.TimeValue;
import org.elasticsearch.features.NodeFeature;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestChannel;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.search.SearchHit;
import org.elasticsearch.search.builder.SearchSourceBuilder;
import org.elasticsearch.xcontent.XContentBuilder;
import org.elasticsearch.xcontent.XContentParser;
import org.elasticsearch.xcontent.json.JsonXContent;

/** _delete_by_query that always waits, one batch after the other, as slowly as it is asked to. */
final class DeleteByQueryHandler extends BaseRestHandler {
    private static final TimeValue KEEP = TimeValue.timeValueMinutes(5);
    private final Predicate<NodeFeature> features;

    DeleteByQueryHandler(Predicate<NodeFeature> features) {
        this.features = features;
    }

    @Override
    public String getName() {
        return "stand_in_delete_by_query";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.POST, "/{index}/_delete_by_query"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) throws IOException {
        if (!request.paramAsBoolean("wait_for_completion", true)) {
            throw new IllegalArgumentException("this test node always waits for completion");
        }
        boolean refresh = request.paramAsBoolean("refresh", false);
        float perSecond = request.paramAsFloat("requests_per_second", -1);
        boolean proceed = "proceed".equals(request.param("conflicts"));
        Map<String, Object> asked = new HashMap<>();
        try (XContentParser parser = request.contentParser()) {
            asked.putAll(parser.map());
        }
        long max = asked.remove("max_docs") instanceof Number number ? number.longValue() : Long.MAX_VALUE;
        if ("proceed".equals(asked.remove("conflicts"))) proceed = true;
        SearchSourceBuilder source = new SearchSourceBuilder();
        try (XContentBuilder json = JsonXContent.contentBuilder().map(asked);
                XContentParser parser =
                    JsonXContent.jsonXContent.createParser(request.contentParserConfig(), Strings.toString(json))) {
            source.parseXContent(parser, true, features);
        }
        int page = (int) Math.min(max, request.paramAsInt("scroll_size", 1000));
        source.size(page).sort("_doc").seqNoAndPrimaryTerm(true);
        SearchRequest search = new SearchRequest(Strings.splitStringByCommaToArray(request.param("index")), source)
            .routing(request.param("routing")).scroll(KEEP);
        boolean skip = proceed;
        return channel -> client.threadPool().generic().execute(() -> {
            try {
                channel.sendResponse(delete(channel, client, search, new Limits(max, skip, perSecond), refresh));
            } catch (Exception error) {
                try {
                    channel.sendResponse(new RestResponse(channel, error));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }

    /** `proceed`: what somebody else has changed is left out instead of ending it. `perSecond`: documents, -1: as many as it can. */
    private record Limits(long max, boolean proceed, float perSecond) {
        /** Until the batch that began then has taken as long as it should. */
        void pause(int documents, long began) {
            if (perSecond <= 0) return;
            long left = (long) (documents / perSecond * 1e9) - (System.nanoTime() - began);
            if (left > 0) LockSupport.parkNanos(left);
        }
    }

    private static RestResponse delete(
            RestChannel channel, NodeClient client, SearchRequest search, Limits limits, boolean refresh) throws IOException {
        long deleted = 0;
        long conflicts = 0;
        List<Map<String, Object>> failures = new ArrayList<>();
        SearchResponse page = client.search(search).actionGet();
        long total = Math.min(limits.max, page.getHits().getTotalHits().value());
        String scroll = page.getScrollId();
        try {
            while (page.getHits().getHits().length > 0 && failures.isEmpty() && deleted + conflicts < limits.max) {
                long began = System.nanoTime();
                int documents = page.getHits().getHits().length;
                for (BulkItemResponse item : client.bulk(deletions(page)).actionGet()) {
                    if (!item.isFailed()) deleted++;
                    else if (limits.proceed && item.getFailure().getStatus() == RestStatus.CONFLICT) conflicts++;
                    else failures.add(Map.of("id", item.getId(), "reason", String.valueOf(item.getFailureMessage())));
                }
                limits.pause(documents, began);
                page.decRef();
                page = client.searchScroll(new SearchScrollRequest(scroll).scroll(KEEP)).actionGet();
                scroll = page.getScrollId();
            }
        } finally {
            page.decRef();
            client.prepareClearScroll().addScrollId(scroll).get();
        }
        if (refresh) client.admin().indices().prepareRefresh(search.indices()).get();
        XContentBuilder body = channel.newBuilder();
        body.startObject().field("timed_out", false).field("total", total).field("deleted", deleted)
            .field("version_conflicts", conflicts).field("failures", failures).endObject();
        return new RestResponse(failures.isEmpty() ? RestStatus.OK : RestStatus.CONFLICT, body);
    }

    private static BulkRequest deletions(SearchResponse page) {
        BulkRequest bulk = new BulkRequest();
        for (SearchHit hit : page.getHits().getHits()) {
            String routing = hit.field("_routing") == null ? null : hit.field("_routing").getValue();
            bulk.add(new DeleteRequest(hit.getIndex(), hit.getId()).routing(routing)
                .setIfSeqNo(hit.getSeqNo()).setIfPrimaryTerm(hit.getPrimaryTerm()));
        }
        return bulk;
    }
}
