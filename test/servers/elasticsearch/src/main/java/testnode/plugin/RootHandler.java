package testnode.plugin;

import java.util.List;
import org.elasticsearch.Build;
import org.elasticsearch.client.internal.node.NodeClient;
import org.elasticsearch.cluster.service.ClusterService;
import org.elasticsearch.rest.BaseRestHandler;
import org.elasticsearch.rest.RestRequest;
import org.elasticsearch.rest.RestResponse;
import org.elasticsearch.rest.RestStatus;
import org.elasticsearch.xcontent.XContentBuilder;

/** GET /, as far as clients read it. */
final class RootHandler extends BaseRestHandler {
    private final ClusterService cluster;

    RootHandler(ClusterService cluster) {
        this.cluster = cluster;
    }

    @Override
    public String getName() {
        return "stand_in_root";
    }

    @Override
    public List<Route> routes() {
        return List.of(new Route(RestRequest.Method.GET, "/"), new Route(RestRequest.Method.HEAD, "/"));
    }

    @Override
    protected RestChannelConsumer prepareRequest(RestRequest request, NodeClient client) {
        return channel -> {
            XContentBuilder body = channel.newBuilder();
            body.startObject();
            body.field("name", cluster.localNode().getName());
            body.field("cluster_name", cluster.getClusterName().value());
            body.field("cluster_uuid", cluster.state().metadata().clusterUUID());
            body.startObject("version").field("number", Build.current().qualifiedVersion()).endObject();
            body.field("tagline", "You Know, for Search");
            body.endObject();
            channel.sendResponse(new RestResponse(RestStatus.OK, body));
        };
    }
}
