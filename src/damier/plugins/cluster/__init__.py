"""Work that several machines share, through Ray (docs/cluster.md, docs/decisions/0063)."""

from damier.lab.workers import ClusterKind

RAY = ClusterKind(
    hired="damier.plugins.cluster.connection:hired",
    solved="damier.plugins.cluster.shard_actors:solved",
    counted="damier.plugins.cluster.shard_actors:counted",
)
