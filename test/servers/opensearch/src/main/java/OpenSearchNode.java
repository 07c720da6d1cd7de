import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.codelibs.opensearch.runner.OpenSearchRunner;

/**
 * One OpenSearch node in this process, on 127.0.0.1: OpenSearchNode HOME DATA_DIR HTTP_PORT (HOME is not used, port 0: any
 * free one). Prints "READY url" once HTTP answers; ends on SIGTERM and when its standard input closes.
 */
public final class OpenSearchNode {
    public static void main(String[] args) throws Exception {
        Path data = Path.of(args[1]).toAbsolutePath();
        String port = args[2].equals("0") ? freePort() : args[2];
        PrintStream out = System.out; // the node's logging replaces System.out
        OpenSearchRunner runner = new OpenSearchRunner();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                runner.close();
            } catch (IOException e) {
                e.printStackTrace();
            }
        }));
        runner.setMaxHttpPort(-1); // the port as given
        runner.onBuild((number, settings) -> settings
            .put("cluster.name", "vitrine-test")
            // Snapshots of one test server are restored into another one.
            .putList("path.repo", data.getParent().toString())
            .put("node.name", "node-1")
            .put("network.host", "127.0.0.1")
            .put("http.port", port)
            .put("transport.port", "0")
            .put("discovery.type", "single-node")
            .put("action.auto_create_index", false)
            .put("cluster.max_shards_per_node", 20000)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .putList("node.roles", "cluster_manager", "data", "ingest"));
        runner.build(OpenSearchRunner.newConfigs().basePath(data.toString()).numOfNode(1).useLogger());
        String url = "http://127.0.0.1:" + port;
        awaitHttp(URI.create(url));
        out.println("READY " + url);
        out.flush();
        while (System.in.read() != -1) {
            // whoever started this holds the other end open
        }
        System.exit(0);
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return String.valueOf(socket.getLocalPort());
        }
    }

    private static void awaitHttp(URI uri) throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(uri).build();
        for (int attempt = 0; attempt < 1200; attempt++) {
            try {
                if (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200) return;
            } catch (IOException notYet) {
                // the port is not bound yet
            }
            Thread.sleep(50);
        }
        throw new IllegalStateException("no answer from " + uri);
    }
}
