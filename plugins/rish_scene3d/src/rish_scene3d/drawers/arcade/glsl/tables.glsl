ivec2 place(int i) { return ivec2(i & 1023, i >> 10); }
