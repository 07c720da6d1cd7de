package testnode.launcher;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.elasticsearch.Build;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.http.HttpServerTransport;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/**
 * One Elasticsearch node in this process, on 127.0.0.1: ElasticsearchNode HOME DATA_DIR HTTP_PORT, where port 0 is any free
 * one. Prints "READY url" once HTTP answers. Ends on SIGTERM and when its standard input closes, so that it can't outlive
 * whoever started it.
 */
public final class ElasticsearchNode {
    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]).toAbsolutePath().normalize();
        Path data = Path.of(args[1]).toAbsolutePath().normalize();
        Files.createDirectories(data.resolve("logs"));
        Files.createDirectories(data.resolve("config"));
        describe(home, "transport-netty4", "org.elasticsearch.transport.netty4.Netty4Plugin");
        describe(home, "stand-in", "testnode.plugin.StandInPlugin");
        Node node = new Node(environment(home, data, args[2]), plugins(home));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (java.io.IOException e) {
                e.printStackTrace();
            }
        }));
        node.start();
        int port = node.injector().getInstance(HttpServerTransport.class).boundAddress().publishAddress().getPort();
        System.out.println("READY http://127.0.0.1:" + port);
        System.out.flush();
        while (System.in.read() != -1) {
            // whoever started this holds the other end open
        }
        System.exit(0);
    }

    private static Environment environment(Path home, Path data, String port) {
        Settings settings = Settings.builder()
            .put("path.home", home.toString())
            .put("path.data", data.resolve("data").toString())
            .put("path.logs", data.resolve("logs").toString())
            // Snapshots of one test server are restored into another one.
            .put("path.repo", data.getParent().toString())
            .put("cluster.name", "vitrine-test")
            .put("node.name", "node-1")
            .put("discovery.type", "single-node")
            .put("http.host", "127.0.0.1")
            .put("http.port", port)
            .put("transport.host", "127.0.0.1")
            .put("transport.port", "0")
            .put("action.auto_create_index", false)
            .put("cluster.max_shards_per_node", 20000)
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
        LogConfigurator.registerErrorListener();
        LogConfigurator.configureWithoutConfig(settings);
        return InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), data.resolve("config"), () -> "node-1");
    }

    private static PluginsLoader plugins(Path home) {
        // withServerExports=false: the server is on the class path, not on the module path.
        return PluginsLoader.createPluginsLoader(
            PluginsLoader.loadModulesBundles(home.resolve("modules"), false), Set.of(), Map.of(), false);
    }

    /** A descriptor without "modulename": a plain class loader loads the plugin. */
    private static void describe(Path home, String name, String className) throws Exception {
        String version = Build.current().version();
        String text = "name=" + name + "\ndescription=" + name + "\nversion=" + version + "\nelasticsearch.version=" + version
            + "\njava.version=21\nclassname=" + className + "\n";
        Path file = home.resolve("modules").resolve(name).resolve("plugin-descriptor.properties");
        if (!Files.exists(file) || !Files.readString(file).equals(text)) Files.writeString(file, text);
    }
}
