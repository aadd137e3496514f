# conf: what ships and what make does there.
