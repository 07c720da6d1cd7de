package testnode.plugin;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.KeywordTokenizer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
import org.apache.lucene.analysis.ngram.EdgeNGramTokenFilter;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.index.analysis.PreConfiguredTokenFilter;
import org.elasticsearch.index.analysis.PreConfiguredTokenizer;
import org.elasticsearch.index.analysis.TokenFilterFactory;
import org.elasticsearch.index.analysis.TokenizerFactory;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;

/** What our mappings use of the stock module analysis-common, under its names and parameters. */
final class Analysis {
    private Analysis() {}

    static Map<String, AnalysisProvider<TokenFilterFactory>> tokenFilters() {
        return Map.of(
            "asciifolding", filter(true, settings -> {
                boolean keep = settings.getAsBoolean("preserve_original", false);
                return in -> new ASCIIFoldingFilter(in, keep);
            }),
            "lowercase", filter(true, settings -> LowerCaseFilter::new),
            "edge_ngram", filter(false, settings -> {
                int min = settings.getAsInt("min_gram", 1);
                int max = settings.getAsInt("max_gram", 2);
                return in -> new EdgeNGramTokenFilter(in, min, max, false);
            }),
            "stemmer", filter(false, settings -> stemmer(settings.get("language", "english"))));
    }

    private static UnaryOperator<TokenStream> stemmer(String language) {
        return switch (language.toLowerCase(Locale.ROOT)) {
            case "english" -> PorterStemFilter::new;
            case "light_portuguese" -> PortugueseLightStemFilter::new;
            case "light_spanish" -> SpanishLightStemFilter::new;
            default -> throw new IllegalArgumentException("this test node has no stemmer for [" + language + "]");
        };
    }

    static Map<String, AnalysisProvider<TokenizerFactory>> tokenizers() {
        return Map.of(
            "keyword", (index, env, name, settings) -> TokenizerFactory.newFactory(name, KeywordTokenizer::new),
            "whitespace", (index, env, name, settings) -> TokenizerFactory.newFactory(name, WhitespaceTokenizer::new));
    }

    static List<PreConfiguredTokenFilter> configuredFilters() {
        return List.of(PreConfiguredTokenFilter.singleton("asciifolding", true, ASCIIFoldingFilter::new));
    }

    static List<PreConfiguredTokenizer> configuredTokenizers() {
        return List.of(
            PreConfiguredTokenizer.singleton("keyword", KeywordTokenizer::new),
            PreConfiguredTokenizer.singleton("whitespace", WhitespaceTokenizer::new));
    }

    private static AnalysisProvider<TokenFilterFactory> filter(
            boolean normalizing, Function<Settings, UnaryOperator<TokenStream>> make) {
        return (index, env, name, settings) -> new Filter(name, normalizing, make.apply(settings));
    }

    private record Filter(String name, boolean normalizing, UnaryOperator<TokenStream> wrap) implements TokenFilterFactory {
        @Override
        public TokenStream create(TokenStream in) {
            return wrap.apply(in);
        }

        @Override
        public TokenStream normalize(TokenStream in) {
            return normalizing ? wrap.apply(in) : in;
        }
    }
}
